"""Learning from files of rankings: weights of clauses, weights of lists, their models."""
