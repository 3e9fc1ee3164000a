"""Intervals widened outwards to round ends, so that no end need be anybody's value."""
