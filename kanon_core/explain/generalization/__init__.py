"""The steps of algorithms that generalize."""
