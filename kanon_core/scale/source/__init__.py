"""Source of a table: its files, the parts that workers read, and the pieces that csv files are cut into."""
