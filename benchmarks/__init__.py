"""What we measure, against whom. ``python -m benchmarks`` prints the table."""
