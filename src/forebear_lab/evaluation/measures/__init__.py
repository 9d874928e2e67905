"""The measures, a file for each family: a ranked list in, a number between 0 and 1 out."""
