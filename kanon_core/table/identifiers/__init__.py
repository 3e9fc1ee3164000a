"""Recognition of columns that identify people or records: numbers of persons, numbers of rows, free text."""
