"""Nearest records in space: one box-tree index."""
