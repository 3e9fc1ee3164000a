"""Charts of people with many records."""
