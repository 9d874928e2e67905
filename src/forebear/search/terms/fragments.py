"""Fragments: the terms that one piece of a record gives, written once and used again.

A million personas share a few thousand names, places and dates.  So what one name or
place gives a field is worked out once, as a tuple of finished terms with the markers of
their fields, and a persona is only the union of its fragments.  The caches hold the
commonest pieces and forget the rest.
"""

from collections.abc import Iterable

from forebear.search.terms.fields import HAS

Fragment = tuple[str, ...]

CACHED_NAMES = 65_536
CACHED_PLACES = 32_768
CACHED_DATES = 65_536

NOTHING: Fragment = ()


def fragment(field: str, values: Iterable[str | int]) -> Fragment:
    """Return a term for each value of a field, and its marker; no value, no marker.

    >>> fragment("self.sex", ["f"])
    ('has=self.sex', 'self.sex=f')
    """
    found = [f"{field}={value}" for value in values if value != ""]
    return (f"{HAS}={field}", *found) if found else NOTHING
