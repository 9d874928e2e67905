"""Transformation rules: how a fact of the query changes on its way to a record type.

Each rule is a small named function that can be tested alone, and leaves a note that the
explanation shows.  Their numbers are those of the catalog's ``rule`` column.
"""
