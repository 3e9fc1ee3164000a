"""Groups of a release in two dimensions."""
