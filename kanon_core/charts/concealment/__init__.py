"""Charts of covers whose sets overlap."""
