"""Charts of risk."""
