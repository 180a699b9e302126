"""Many tables on one seed: faults as data, checkers for what is promised, scripts that replay."""
