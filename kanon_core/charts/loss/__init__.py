"""Charts of information loss, by attribute and by record."""
