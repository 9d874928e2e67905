"""A query becomes clauses: for each record type, what its records would say of this person."""
