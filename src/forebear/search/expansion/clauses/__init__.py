"""How each level of the catalog becomes a clause: one builder for each fact and level.

A builder takes a row of the catalog and the facts of a query, and returns the clause, or
None where the query has nothing to compare.  ``BUILDERS`` has it under the last two parts
of the clause's name.
"""
