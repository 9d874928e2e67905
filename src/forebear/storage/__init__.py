"""Where an archive lives: in memory (the reference) or in one SQLite file."""
