"""What is searched: records, the people on them, and what is said of those people."""
