"""Metrics of utility: statistics, counts, models and maps that are made from the release instead of the
originals."""
