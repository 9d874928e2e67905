"""The measures, one file each: a ranked list in, a number between 0 and 1 out."""
