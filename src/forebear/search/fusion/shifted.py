"""Fusion by a shift: one list out of many, each moved by its type's weight.

The paper's collator multiplies a record's positive score by a weight of its record type.
Our scores are in bits, log2 of such a score, so the product is a sum: the record's bits plus
a *shift* of the list (Jiang et al., section 2.3; the global search).  Beyond the paper, a list
may have a *slope* (what a bit of its scores is worth) and *conditions* (what the facts of the
query add to its shift).  How likely a record is the right one is computed from its score in its
list (`forebear.search.results.probability`).

Everything is whole 64ths of a bit, so what a hit is made of adds up exactly.  Records of equal
score stand in the order of their tie keys, hashes that favor no collection.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from forebear.search.model import UNITS_PER_BIT
from forebear.search.record_search.makers import maker
from forebear.search.record_search.rank import tie_key
from forebear.search.record_search.ranked_list import Hit, RankedList

_tie = lru_cache(maxsize=10_000)(tie_key)  # a search asks for each several times


@dataclass(frozen=True, slots=True, kw_only=True)
class ListMove:
    """How the scores of a list are moved for one query, in 64ths of a bit."""

    shift: int
    slope: int = UNITS_PER_BIT  # 64 leaves the scores as they are
    conditions: tuple[tuple[str, int], ...] = ()  # facts of the query, and what each adds

    def sloped(self, score: int) -> int:
        """Return what the slope adds to a score; it may level two scores, never turn them.

        >>> ListMove(shift=0, slope=96).sloped(64), ListMove(shift=0).sloped(64)
        (32, 0)
        """
        return (2 * score * self.slope + UNITS_PER_BIT) // (2 * UNITS_PER_BIT) - score

    def moved(self, score: int) -> int:
        """Return the evidence that a score of the list is."""
        sloped = score if self.slope == UNITS_PER_BIT else score + self.sloped(score)
        added = sum(bits for _, bits in self.conditions) if self.conditions else 0
        return sloped + self.shift + added


@dataclass(frozen=True, slots=True, kw_only=True)
class FusedHit:
    """A hit in the one list, and what it is made of."""

    hit: Hit
    list_name: str
    record_type: str
    move: ListMove  # of its list
    decay: int = 0  # what it pays for records of its type before it, in 64ths of a bit

    @property
    def evidence(self) -> int:
        """Return what speaks for the record being the right one, in 64ths of a bit."""
        return self.move.moved(self.hit.score)

    @property
    def score(self) -> int:
        """Return the fused score, by which the list is ordered."""
        return self.evidence - self.decay

    @property
    def tie(self) -> int:
        """Return where the hit stands among hits of the same score, lowest first."""
        return _tie(self.hit.record_key)


make_fused_hit = maker(FusedHit)


def fuse(lists: Sequence[RankedList], moves: Mapping[str, ListMove]) -> tuple[FusedHit, ...]:
    """Return the hits of all lists as one list, best first; ``moves`` is by list name."""
    ordered = sorted(
        [
            (-moved(hit.score), _tie(hit.record_key), of_list, at)
            for of_list, ranked in enumerate(lists)
            for moved in [moves[ranked.name].moved]
            for at, hit in enumerate(ranked.hits)
        ]
    )
    return tuple(
        [
            make_fused_hit(
                hit=(ranked := lists[of_list]).hits[at],
                list_name=ranked.name,
                record_type=ranked.record_type,
                move=moves[ranked.name],
            )
            for _, _, of_list, at in ordered
        ]
    )


def in_order(hits: Sequence[FusedHit]) -> tuple[FusedHit, ...]:
    """Return hits by their score, best first, and by their tie keys where scores are equal."""
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.tie)))
