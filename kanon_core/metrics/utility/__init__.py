"""What the data are still good for: statistics, counts, models and maps made from the release instead of the
originals."""
