"""The inner loops, compiled: flat arrays in, arrays out, and a readable twin elsewhere."""
