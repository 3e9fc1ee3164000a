"""Which record fits which published row, and the matches among them."""
