"""Compiled loops of the lab; each has a readable twin that it is tested against."""
