"""Choice of k: whole cells are drawn, and every k is tried in each."""
