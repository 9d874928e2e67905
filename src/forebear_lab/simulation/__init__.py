"""Simulated archives: the mappings that read their tables."""
