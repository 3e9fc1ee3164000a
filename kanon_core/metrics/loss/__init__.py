"""What a release loses."""
