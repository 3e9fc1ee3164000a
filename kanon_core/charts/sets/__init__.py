"""Charts of item sets."""
