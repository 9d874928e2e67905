"""Rule 4: under which surname may a child stand that is not its own?

A child born out of wedlock stands under the mother's surname or the reputed father's, whatever
name it bore later.  Where a record of the child may show that, neither contradicts.
"""

from collections.abc import Collection, Iterable

from forebear.normalize.surnames import split_surnames
from forebear.search.expansion.catalog import CHILD_TYPES


def parents_surnames(stated: Iterable[str], borne: Collection[str]) -> tuple[str, ...]:
    """Return the surnames of a parent besides those that the person bore.

    >>> parents_surnames(["hall", "brown"], ["brown"])
    ('hall',)
    """
    firsts = (split_surnames(name)[0] for name in stated)
    return tuple(name for name in firsts if name not in borne)


def tolerated_surnames(
    fathers: Iterable[str], mothers: Iterable[str], borne: Collection[str], record_type: str
) -> tuple[str, ...]:
    """Return the parents' surnames that do not contradict on this record type."""
    if record_type not in CHILD_TYPES:
        return ()
    return (*parents_surnames(fathers, borne), *parents_surnames(mothers, borne))
