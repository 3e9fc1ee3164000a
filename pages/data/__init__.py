"""Load a table and say what its columns are."""
