"""Attacks by named attackers."""
