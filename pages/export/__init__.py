"""What leaves the house with a release."""
