"""Compiled loops of the lab; each is tested against a scalar definition."""
