"""How each level of the catalog becomes a clause: one builder for each fact and level.

A builder takes a row of the catalog and the facts of a query, and returns the clause, or
None where the query gives it nothing to ask.  ``BUILDERS`` finds it by the last two parts
of the clause's name.
"""
