"""Where an archive lives: in memory (the reference), in one SQLite file, or in a cluster."""
