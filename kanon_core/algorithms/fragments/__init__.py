"""Fragments: cut a large table into parts, and run another algorithm on each."""
