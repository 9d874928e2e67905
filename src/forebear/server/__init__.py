"""The page: a door to an archive for people with a browser."""
