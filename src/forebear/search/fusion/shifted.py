"""Fusion by a shift: one list out of many, each moved by its type's weight.

The paper's collator multiplies a record's positive score by a weight of its record type.
Our scores are in bits, log2 of such a score, so the product is a sum: the record's bits plus
a *shift* of the list (Jiang et al., section 2.3; the global search).  One over one plus two to the
minus fused score then estimates how likely the record is the right one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from forebear.search.model import GRID
from forebear.search.record_search.rank import tie_key
from forebear.search.record_search.ranked_list import Hit, RankedList


@dataclass(frozen=True, slots=True, kw_only=True)
class FusedHit:
    """A hit in the one list."""

    hit: Hit
    list_name: str
    record_type: str
    shift: int  # of its list, in 64ths of a bit

    @property
    def score(self) -> int:
        """Return the fused score, in 64ths of a bit."""
        return self.hit.score + self.shift

    @property
    def probability(self) -> float:
        """Return the estimate that the record is the right one."""
        return float(1 / (1 + 2 ** (-self.score / GRID)))


def fuse(lists: Sequence[RankedList], shifts: Mapping[str, int]) -> tuple[FusedHit, ...]:
    """Return the hits of all lists as one list, best first; ``shifts`` is by list name."""
    fused = [
        FusedHit(
            hit=hit,
            list_name=ranked.name,
            record_type=ranked.record_type,
            shift=shifts[ranked.name],
        )
        for ranked in lists
        for hit in ranked.hits
    ]
    return tuple(sorted(fused, key=lambda hit: (-hit.score, tie_key(hit.hit.record_key))))
