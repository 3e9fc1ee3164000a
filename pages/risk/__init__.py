"""Re-identification risk by attacker, and attacks."""
