"""The catalogs of the languages, and how they are kept."""
