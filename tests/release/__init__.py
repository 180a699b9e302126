"""What makes a release: changelog, list of licences, packages, and the check of them all."""
