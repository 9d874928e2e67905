"""How good is a ranking?  Runs and judgments in, measures out; usable on TREC files alone."""
