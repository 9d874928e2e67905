"""The user's own tree."""
