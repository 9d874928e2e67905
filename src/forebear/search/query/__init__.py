"""What is asked: a partial description of a person."""
