"""Attacks on the program, and what none of them may achieve: see docs/reference/security.md."""
