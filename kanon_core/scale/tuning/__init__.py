"""Which k it should be: whole cells are drawn, and every k is tried in each."""
