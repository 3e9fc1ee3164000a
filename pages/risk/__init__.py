"""Risk: who could be found, by what attackers know, before and after."""
