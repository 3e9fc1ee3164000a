"""Guarantees against attribute disclosure: bounds on the sensitive values within each class."""
