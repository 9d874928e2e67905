"""Could one name be the other, misread or mistyped?

One confusion of a reader, a scanner or a typist is allowed: a capital for one like it, a letter
or group of letters for another of the same look, two neighboring letters exchanged.  A
scanner's digits are letters first.  Two names that are both in common use are not misreadings
of each other: Hill is no Hull.
"""

from collections.abc import Iterator
from functools import cache

from forebear.normalize.spelling import ascii_forms
from forebear.tables import read_table

SHORTEST_EXCHANGED = 5  # letters; two exchanged in a shorter word make another word
_DIGITS = ({"0": "o", "1": "l", "5": "s", "8": "b"}, {"0": "o", "1": "i", "5": "s", "8": "b"})


def is_misread(first: str, second: str) -> bool:
    """Say whether one spelled name is a likely misreading of the other.

    >>> is_misread("clark", "dark"), is_misread("moss", "mofs"), is_misread("smith", "jones")
    (True, True, False)
    """
    firsts, seconds = _letters(first), _letters(second)
    if firsts & seconds:
        return True
    return any(b in _confused(a) for a in firsts for b in seconds)


def _letters(name: str) -> frozenset[str]:
    """Return the letters of a name, with each way to take a digit."""
    plain = (ascii_forms(name.replace("ſ", "f")) or ("",))[0]
    return frozenset("".join(digits.get(c, c) for c in plain) for digits in _DIGITS)


def _confused(name: str) -> frozenset[str]:
    found = set(_exchanged(name))
    for written, read in _confusions("capital"):
        if name.startswith(written):
            found.add(read + name[len(written) :])
    for written, read in _confusions("small"):
        start = name.find(written, 1)
        while start >= 0:
            found.add(name[:start] + read + name[start + len(written) :])
            start = name.find(written, start + 1)
        found.add(name[:1] + name[1:].replace(written, read))
    return frozenset(found)


def _exchanged(name: str) -> Iterator[str]:
    if len(name) < SHORTEST_EXCHANGED:
        return
    for at in range(1, len(name) - 1):
        yield name[:at] + name[at + 1] + name[at] + name[at + 2 :]


@cache
def _confusions(place: str) -> tuple[tuple[str, str], ...]:
    """Return what is read for what, in either direction."""
    pairs = [
        (row["one"], row["other"])
        for row in read_table("normalize/misreadings")
        if row["place"] in (place, "any")
    ]
    return tuple(dict.fromkeys([*pairs, *((b, a) for a, b in pairs)]))
