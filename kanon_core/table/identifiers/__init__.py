"""Recognize columns whose values tell people apart: numbers of persons, numbers of rows, free text."""
