"""The path from a table to a release, taken once, or many times: over k, and for attacks."""
