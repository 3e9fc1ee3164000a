"""How many records each one hides among, and the risk that leaves."""
