"""The groups of a release in two dimensions."""
