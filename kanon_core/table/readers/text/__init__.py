"""Read delimited text: encoding and delimiter, the lines around its table, rows, lines that do not fit."""
