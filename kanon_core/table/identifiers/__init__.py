"""What tells people apart by its values: numbers of persons, numbers of rows, free text."""
