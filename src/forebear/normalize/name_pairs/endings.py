"""Are two surnames the same but for the ending that a woman's takes?

Many languages bend surnames: Kowalski and Kowalska, Novák and Nováková, Papadopoulos and
Papadopoulou, Jónsson and Jónsdóttir.  Each feminine ending is put back to the masculine ones it
may stand for.
"""

from functools import cache

from anyascii import anyascii

from forebear.tables import read_table

SHORTEST_STEM = 2  # letters


def differ_by_ending(first: str, second: str) -> bool:
    """Say whether one spelled surname is the other with a woman's ending.

    >>> differ_by_ending("kowalski", "kowalska"), differ_by_ending("jansz", "jansdr")
    (True, True)
    """
    a, b = anyascii(first).lower(), anyascii(second).lower()
    return a != b and not masculine_forms(a).isdisjoint(masculine_forms(b))


def masculine_forms(name: str) -> frozenset[str]:
    """Return the name, and what it would be for a man if its ending is a woman's."""
    forms = {name}
    for feminine, masculine in _endings():
        stem = name.removesuffix(feminine)
        if stem != name and len(stem) >= SHORTEST_STEM:
            forms |= {stem + ending for ending in masculine}
    return frozenset(forms)


@cache
def _endings() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (row["feminine"], tuple(ending.strip("-") for ending in row["masculine"].split()))
        for row in read_table("normalize/surname_endings")
    )
