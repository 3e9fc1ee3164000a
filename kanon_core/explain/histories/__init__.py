"""Purchase histories, told."""
