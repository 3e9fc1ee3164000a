"""Top-down over many files: one barrier a round, for all parts are cut by the attribute that has lost most in
the whole table."""
