"""The one path from a table to a release, and the same path many times: over k, and for attacks."""
