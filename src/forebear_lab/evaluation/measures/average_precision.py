"""Average precision: how pure is the list above each relevant record?  Its mean is MAP.

The precision at the rank of each relevant record, summed and divided by the number of all
relevant records, found or not.  Among t tied records of which r are relevant, the record at
a place is relevant in r of t cases, and each of the others of the group above it then is in
r - 1 of t - 1.
"""

import math
from collections.abc import Sequence

from forebear_lab.evaluation.measures.definition import Definition, Options
from forebear_lab.evaluation.measures.judged_ranking import JudgedRanking
from forebear_lab.evaluation.measures.options import Count
from forebear_lab.evaluation.measures.ties import check_cutoff, tie_groups


def average_precision(
    gains: Sequence[float],
    *,
    judged: Sequence[float] | None = None,
    cutoff: int | None = None,
    tied: Sequence[int] | None = None,
) -> float:
    """Return the average precision of a list; without ``judged`` all relevant are in it.

    >>> round(average_precision([1, 0, 1]), 4)
    0.8333
    """
    check_cutoff(cutoff)
    all_relevant = sum(gain > 0 for gain in (gains if judged is None else judged))
    above, precisions = 0, []
    for group in tie_groups(len(gains), tied):
        relevant = sum(gains[position] > 0 for position in group)
        share = (relevant - 1) / max(1, len(group) - 1)
        for position in group if relevant else ():
            if cutoff is None or position < cutoff:
                found = above + 1 + (position - group.start) * share
                precisions.append(relevant / len(group) * found / (position + 1))
        above += relevant
    return math.fsum(precisions) / all_relevant if all_relevant else 0.0


def _calculate(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    rel = options["rel"]
    return average_precision(
        ranking.relevant(rel), judged=ranking.judged_relevant(rel), cutoff=cutoff, tied=ranking.tied
    )


DEFINITION = Definition(
    name="ap", spellings=("map",), calculate=_calculate, options={"rel": Count(1)}
)
