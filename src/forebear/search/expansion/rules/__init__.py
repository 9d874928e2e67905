"""Transformation rules: how a fact of the query changes on its way to a record type.

Each rule is a module of its own that can be tested alone, and leaves a note that the
explanation shows.  ``tables/rules.csv`` has their numbers, which are those of the catalog's
``rule`` column, and what they are called.
"""
