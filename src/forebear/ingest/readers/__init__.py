"""One module a file format; each yields rows that know their line."""
