"""The parts of an Excel workbook that a table needs, read one XML element at a time and within bounds."""
