"""Rule 4: under which surname may a child stand that is not its own?

A child born out of wedlock stands under the mother's surname or the reputed father's, whatever
name it bore later.  Where a record of the child may show that, neither contradicts.
"""

from collections.abc import Mapping, Sequence

from forebear.normalize.surnames import split_surnames
from forebear.search.expansion.catalog import CHILD_TYPES


def parents_surnames(
    names: Mapping[str, Sequence[str]], own: Sequence[str], word: str
) -> tuple[str, ...]:
    """Return the surnames of one parent (``father.surname``, ``mother.maiden``) besides one's own.

    >>> parents_surnames({"mother.maiden": ["hall", "brown"]}, ["brown"], "mother.maiden")
    ('hall',)
    """
    firsts = (split_surnames(name)[0] for name in names.get(word, ()))
    return tuple(name for name in firsts if name not in own)


def tolerated_surnames(
    names: Mapping[str, Sequence[str]], own: Sequence[str], record_type: str
) -> tuple[str, ...]:
    """Return the parents' surnames that do not contradict on this record type."""
    if record_type not in CHILD_TYPES:
        return ()
    words = ("father.surname", "mother.maiden")
    return tuple(name for word in words for name in parents_surnames(names, own, word))
