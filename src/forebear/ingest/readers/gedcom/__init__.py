"""GEDCOM of every version, in three levels: lines, structures, people."""
