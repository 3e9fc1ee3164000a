"""Re-identification risk before and after, by attacker."""
