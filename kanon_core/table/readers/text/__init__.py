"""Delimited text: encoding and delimiter, what stands around its table, rows, lines that do not fit."""
