"""Charts of disjoint groups, of records or of people."""
