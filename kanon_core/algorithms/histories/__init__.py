"""Purchase histories: many records per person, and k people whose histories read alike."""
