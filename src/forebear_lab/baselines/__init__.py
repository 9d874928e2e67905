"""Learners and fusers that ours are compared with; one family or algorithm per file."""
