"""Attack: one person and the whole table, by attackers who are named."""
