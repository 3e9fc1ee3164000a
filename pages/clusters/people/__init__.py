"""People with many records."""
