"""Learning from files of rankings: weights of features, fusion of lists, their models."""
