"""Metrics of privacy: how many records each one hides among, and the risk that is left."""
