"""Learners and fusers that are only compared with; one algorithm a file."""
