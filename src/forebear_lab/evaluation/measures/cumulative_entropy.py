"""Cumulative entropy: how varied are the record types, all the way down?

The entropy of a list says how many kinds it holds, but not whether they alternate; summing
the entropy of every prefix does ("Ranking in Genealogy", section 4).  CE(AABB) = 1.918,
CE(ABAB) = 2.918.  It grows with the length of the list; `nce` takes that out.
"""

import math
from collections.abc import Hashable, Sequence

from forebear_lab.evaluation.measures.definition import Definition, Options
from forebear_lab.evaluation.measures.entropy import prefix_entropies
from forebear_lab.evaluation.measures.judged_ranking import JudgedRanking


def cumulative_entropy(
    types: Sequence[Hashable], *, cutoff: int | None = None, tied: Sequence[int] | None = None
) -> float:
    """Return the sum, over every prefix of the list, of its entropy in bits.

    >>> round(cumulative_entropy("AABB"), 4)
    1.9183
    """
    return math.fsum(prefix_entropies(types, cutoff=cutoff, tied=tied))


def _calculate(ranking: JudgedRanking, cutoff: int | None, _: Options) -> float:
    return cumulative_entropy(ranking.types, cutoff=cutoff, tied=ranking.tied)


DEFINITION = Definition(
    name="ce", spellings=("cumulative_entropy",), calculate=_calculate, looks_at="types"
)
