"""Distances between records, and between places."""
