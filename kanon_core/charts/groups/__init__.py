"""Charts of disjoint groups."""
