"""Precision: which share of the first records is relevant?

Places that the list leaves empty count as not relevant, as in trec_eval.
"""

import math
from collections.abc import Sequence

from forebear_lab.evaluation.measures.definition import Definition, Options
from forebear_lab.evaluation.measures.judged_ranking import JudgedRanking
from forebear_lab.evaluation.measures.options import Count
from forebear_lab.evaluation.measures.ties import averaged, check_cutoff


def precision(
    gains: Sequence[float], *, cutoff: int | None = None, tied: Sequence[int] | None = None
) -> float:
    """Return the share of the first ``cutoff`` places that hold a relevant record.

    >>> precision([1, 0], cutoff=4)
    0.25
    """
    places = len(gains) if cutoff is None else cutoff
    return relevant_found(gains, cutoff=cutoff, tied=tied) / places if places else 0.0


def relevant_found(
    gains: Sequence[float], *, cutoff: int | None, tied: Sequence[int] | None
) -> float:
    """Return how many of the first records are relevant, in the mean over ties."""
    check_cutoff(cutoff)
    return math.fsum(averaged([float(gain > 0) for gain in gains], tied)[:cutoff])


def _calculate(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    rel = options["rel"]
    return precision(ranking.relevant(rel), cutoff=cutoff, tied=ranking.tied)


DEFINITION = Definition(
    name="precision", spellings=("p",), calculate=_calculate, options={"rel": Count(1)}
)
