"""Charts of what is lost, by attribute and by record."""
