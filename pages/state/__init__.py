"""What a browser session holds and computes."""
