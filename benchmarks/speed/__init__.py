"""How fast: one file a subject, each runs alone as `python -m benchmarks.speed.SUBJECT`."""
