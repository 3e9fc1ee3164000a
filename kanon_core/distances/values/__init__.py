"""Distances between two values of one column."""
