"""Top-down for attackers who know a few items of a person."""
