"""Recall: which share of the relevant records is among the first?"""

from collections.abc import Sequence

from forebear_lab.evaluation.measures.definition import Definition, Options
from forebear_lab.evaluation.measures.judged_ranking import JudgedRanking
from forebear_lab.evaluation.measures.options import Count
from forebear_lab.evaluation.measures.precision import relevant_found


def recall(
    gains: Sequence[float],
    *,
    judged: Sequence[float],
    cutoff: int | None = None,
    tied: Sequence[int] | None = None,
) -> float:
    """Return the share of the relevant ``judged`` records that the list shows.

    >>> recall([1, 0, 1], judged=[1, 1, 0], cutoff=2)
    0.5
    """
    relevant = sum(gain > 0 for gain in judged)
    return relevant_found(gains, cutoff=cutoff, tied=tied) / relevant if relevant else 0.0


def _calculate(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    rel = options["rel"]
    return recall(
        ranking.relevant(rel), judged=ranking.judged_relevant(rel), cutoff=cutoff, tied=ranking.tied
    )


DEFINITION = Definition(
    name="recall", spellings=("r",), calculate=_calculate, options={"rel": Count(1)}
)
