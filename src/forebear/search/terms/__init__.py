"""How a persona is written down for matching: the twin of expansion."""
