"""Metrics of use: statistics, counts, models and maps that are made from the release instead of the
originals."""
