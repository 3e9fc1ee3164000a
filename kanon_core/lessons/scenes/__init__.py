"""Pictures of lessons: small tables, figures of the charts, numbers on a line, several side by side."""
