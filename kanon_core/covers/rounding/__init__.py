"""Intervals widened outwards to round ends, so that an end need not be a record's value."""
