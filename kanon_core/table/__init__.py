"""Tables: what a person loads, encoded once, with the roles and kinds of its attributes."""
