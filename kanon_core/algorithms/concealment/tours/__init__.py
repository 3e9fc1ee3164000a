"""Tours: k-concealment by round tours through all records."""
