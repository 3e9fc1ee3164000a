"""Decide the type of a column by its texts: words for a missing value, spellings of numbers, and the
decisions."""
