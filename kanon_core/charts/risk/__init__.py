"""What is drawn of risks."""
