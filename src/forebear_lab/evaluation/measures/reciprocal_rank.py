"""Reciprocal rank: how soon comes the first relevant record?  Its mean is MRR.

Among t tied records of which r are relevant, the first relevant one is the i-th in
C(t - i, r - 1) of C(t, r) cases.
"""

import math
from collections.abc import Sequence

from forebear_lab.evaluation.measures.definition import Definition, Options
from forebear_lab.evaluation.measures.judged_ranking import JudgedRanking
from forebear_lab.evaluation.measures.options import Count
from forebear_lab.evaluation.measures.ties import check_cutoff, tie_groups


def reciprocal_rank(
    gains: Sequence[float], *, cutoff: int | None = None, tied: Sequence[int] | None = None
) -> float:
    """Return 1 over the rank of the first relevant record, or 0.0 without one.

    >>> reciprocal_rank([0, 1, 1])
    0.5
    >>> reciprocal_rank([1, 0], tied=[2])
    0.75
    """
    check_cutoff(cutoff)
    for group in tie_groups(len(gains), tied):
        relevant = sum(gains[position] > 0 for position in group)
        if relevant:
            ways = math.comb(len(group), relevant)
            return math.fsum(
                math.comb(group.stop - position - 1, relevant - 1) / ways / (position + 1)
                for position in group[: cutoff if cutoff is None else max(0, cutoff - group.start)]
            )
    return 0.0


def _calculate(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    rel = options["rel"]
    return reciprocal_rank(ranking.relevant(rel), cutoff=cutoff, tied=ranking.tied)


DEFINITION = Definition(
    name="mrr", spellings=("rr", "recip_rank"), calculate=_calculate, options={"rel": Count(1)}
)
