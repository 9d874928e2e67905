"""Ranked lists become one."""
