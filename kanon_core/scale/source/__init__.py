"""What a source is: its files, the parts that workers read, and how csv files are cut into pieces."""
