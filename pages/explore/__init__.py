"""Choose an algorithm, move k."""
