"""Metrics of information loss."""
