"""State of a browser session, and the results computed in it."""
