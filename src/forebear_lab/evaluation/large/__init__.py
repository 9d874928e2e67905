"""The same answers from large files: arrays and compiled loops instead of words and lines."""
