"""Read released files, whoever made them, and compare them with their original."""
