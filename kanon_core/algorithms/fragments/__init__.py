"""A large table cut from the top into fragments, each of which another algorithm covers on its own."""
