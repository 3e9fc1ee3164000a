"""Guarantees against attribute disclosure: what a class tells about its sensitive values."""
