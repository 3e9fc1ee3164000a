"""A release by every measure."""
