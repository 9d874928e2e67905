"""A term: one normalized fact of a persona, written ``field=value``.

A persona is stored as the set of its terms, and a clause asks for terms; nothing else is
ever compared.  So everything fuzzy is decided by which terms a query asks for, and every
storage that can say "has any of these terms" gives the same answer.

Two markers are written beside the facts: ``has=FIELD`` for every field the persona has a
term of, so that absence needs no scan, and ``collection=NAME``, so that a ranked list can
be any set of collections.
"""

from collections.abc import Iterable
from functools import lru_cache

PersonaTerms = frozenset[str]

# Raised whenever the terms of some field change (the table ``search/term_rules`` has which); an
# archive notes the version its terms were written with.  A test raises it: test_term_rules.py.
TERM_RULES_VERSION = 5

HAS = "has"
COLLECTION = "collection"
# What a place lies in when nobody said which country: an id beside those of its ancestors.
NOWHERE = "p:"


def term(field: str, value: str | int) -> str:
    """Return the term that says this field has this value."""
    return f"{field}={value}"


def terms(field: str, values: Iterable[str | int]) -> frozenset[str]:
    """Return a term for each value of the field."""
    return frozenset(f"{field}={value}" for value in values)


@lru_cache(maxsize=4096)
def name_terms(field: str, names: frozenset[str]) -> frozenset[str]:
    """Return a term for each of some names; the forms of a name are asked for again and again."""
    return terms(field, names)


def has(*fields: str) -> frozenset[str]:
    """Return the markers that say a persona has any of these fields."""
    return terms(HAS, fields)


def field_of(text: str) -> str:
    """Return the field a term belongs to."""
    return text.partition("=")[0]


def value_of(text: str) -> str:
    """Return the value a term gives its field."""
    return text.partition("=")[2]
