"""Simulated archives and users, and the mappings that read their tables."""
