"""How good are the answers?  Of readers and names against gold, of learners compared."""
