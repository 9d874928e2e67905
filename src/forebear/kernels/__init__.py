"""Compiled inner loops over flat arrays; each has a readable definition elsewhere."""
