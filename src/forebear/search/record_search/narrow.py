"""Narrowing a gate: which candidates are scored when too many would be.

The same rule for every storage: give up branches from the last to the second while more
than the limit remain and somebody is left; then add the refinements one by one, skipping
one that would leave nobody.  If even then more remain, they are all scored: slow, but never
cut blindly.
"""

from collections.abc import Sequence
from typing import Protocol, Self, TypeVar


class PersonaSet(Protocol):
    """A set of personas: a bitmap or a plain set."""

    def __or__(self, other: Self, /) -> Self: ...

    def __and__(self, other: Self, /) -> Self: ...

    def __len__(self) -> int: ...


S = TypeVar("S", bound=PersonaSet)


def narrow(branches: Sequence[S], refinements: Sequence[S], *, limit: int) -> tuple[S, int]:
    """Return the candidates, and how many steps of narrowing it took."""
    kept = list(branches)
    candidates = _union(kept)
    steps = 0
    while len(candidates) > limit and len(kept) > 1:
        kept.pop()
        fewer = _union(kept)
        if not len(fewer):
            break
        candidates = fewer
        steps += 1
    for refinement in refinements:
        if len(candidates) <= limit:
            break
        refined = candidates & refinement
        if len(refined):
            candidates = refined
            steps += 1
    return candidates, steps


def _union(sets: Sequence[S]) -> S:
    union = sets[0]
    for other in sets[1:]:
        union = union | other
    return union
