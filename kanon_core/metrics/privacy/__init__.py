"""Metrics of privacy: the sizes of anonymity sets, and the remaining risk."""
