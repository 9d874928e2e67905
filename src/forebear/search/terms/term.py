"""A term: one normalized fact of a persona, written ``field=value``.

A persona is stored as the set of its terms, and a clause compares terms; nothing else is
ever compared.  So everything fuzzy is decided by the terms that a query looks for, and every
storage that can say "has any of these terms" gives the same result.

Two markers are written beside the facts: ``has=FIELD`` for every field the persona has a
term of, so that absence needs no scan, and ``collection=NAME``, so that a ranked list can
be any set of collections.

A million personas share a few thousand names, places and dates.  So what one name or place gives a
field, a *fragment*, is computed once, as a tuple of finished terms with the markers of their
fields, and a persona is only the union of its fragments.  The caches hold the commonest pieces and
forget the rest.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeVar

PersonaTerms = frozenset[str]

# Raised whenever the terms of some field change (the table ``search/term_rules`` has which); an
# archive notes the version its terms were written with.  A test raises it: test_term_rules.py.
TERM_RULES_VERSION = 5

HAS = "has"
COLLECTION = "collection"
# What a place lies in when its country is not stated: an id beside those of its ancestors.
NOWHERE = "p:"


def term(field: str, value: str | int) -> str:
    """Return the term that says this field has this value."""
    return f"{field}={value}"


def terms(field: str, values: Iterable[str | int]) -> frozenset[str]:
    """Return a term for each value of the field."""
    return frozenset(f"{field}={value}" for value in values)


@lru_cache(maxsize=4096)
def name_terms(field: str, names: frozenset[str]) -> frozenset[str]:
    """Return a term for each of some names; the forms of a name are used again and again."""
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


Terms = tuple[str, ...]  # a fragment

CACHED_NAMES = 65_536
CACHED_PLACES = 32_768
CACHED_DATES = 65_536
CACHED_VALUES = 65_536  # by identity

Value = TypeVar("Value")
Given = TypeVar("Given")

NOTHING: Terms = ()


def fragment(field: str, values: Iterable[str | int]) -> Terms:
    """Return a term for each value of a field, and its marker; no value, no marker.

    >>> fragment("self.sex", ["f"])
    ('has=self.sex', 'self.sex=f')
    """
    terms_of_field = [f"{field}={value}" for value in values if value != ""]
    return (f"{HAS}={field}", *terms_of_field) if terms_of_field else NOTHING


def by_identity(function: Callable[[Given], Value]) -> Callable[[Given], Value]:
    """Remember what a function returns for one and the same object.

    Readers hand the same event, date or place to every record that has it, and to look such a
    value up by its content would cost more than most fragments.  What is remembered keeps its
    object alive, so that no other can come to stand for it.
    """
    remembered: dict[int, tuple[Given, Value]] = {}

    def look_up(given: Given) -> Value:
        entry = remembered.get(id(given))
        if entry is None:
            if len(remembered) >= CACHED_VALUES:
                remembered.clear()
            entry = remembered[id(given)] = (given, function(given))
        return entry[1]

    return look_up
