"""Measurements of Kanon, against others. ``python -m benchmarks`` prints the table."""
