"""Learn: how each algorithm thinks."""
