"""Clauses become the ranked list of one record type, where the records are."""
