"""Who could be whom."""
