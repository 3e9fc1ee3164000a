"""Metrics of what a release loses."""
