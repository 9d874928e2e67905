"""Fragments: the terms that one piece of a record gives, written once and used again.

A million personas share a few thousand names, places and dates.  So what one name or
place gives a field is worked out once, as a tuple of finished terms with the markers of
their fields, and a persona is only the union of its fragments.  The caches hold the
commonest pieces and forget the rest.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from forebear.search.terms.fields import HAS

Fragment = tuple[str, ...]

CACHED_NAMES = 65_536
CACHED_PLACES = 32_768
CACHED_DATES = 65_536
CACHED_VALUES = 65_536  # by identity

Value = TypeVar("Value")
Given = TypeVar("Given")

NOTHING: Fragment = ()


def fragment(field: str, values: Iterable[str | int]) -> Fragment:
    """Return a term for each value of a field, and its marker; no value, no marker.

    >>> fragment("self.sex", ["f"])
    ('has=self.sex', 'self.sex=f')
    """
    found = [f"{field}={value}" for value in values if value != ""]
    return (f"{HAS}={field}", *found) if found else NOTHING


def by_identity(function: Callable[[Given], Value]) -> Callable[[Given], Value]:
    """Remember what a function returns for the very same object.

    Readers hand the same event, date or place to every record that has it, and to look such a
    value up by its content would cost more than most fragments.  What is remembered keeps its
    object alive, so that no other can come to stand for it.
    """
    made: dict[int, tuple[Given, Value]] = {}

    def look_up(given: Given) -> Value:
        known = made.get(id(given))
        if known is None:
            if len(made) >= CACHED_VALUES:
                made.clear()
            known = made[id(given)] = (given, function(given))
        return known[1]

    return look_up
