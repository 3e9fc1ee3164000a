"""Find the records that fit each published row, and the matches among these pairs."""
