"""Measures of a release."""
