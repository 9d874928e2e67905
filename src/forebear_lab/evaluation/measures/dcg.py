"""Discounted cumulative gain: how much is found, counting less the further down it stands?

A record at rank i earns its gain divided by log2(1 + i) (Järvelin and Kekäläinen 2002).
The sum has no upper bound of its own; `ndcg` divides it by the best that could be reached.
"""

import math
from collections.abc import Sequence

from forebear_lab.evaluation.measures.definition import Definition, Options
from forebear_lab.evaluation.measures.gain import Gain, gains_of
from forebear_lab.evaluation.measures.judged_ranking import JudgedRanking
from forebear_lab.evaluation.measures.options import Choice
from forebear_lab.evaluation.measures.ties import averaged, check_cutoff


def dcg(
    grades: Sequence[float],
    *,
    cutoff: int | None = None,
    gain: Gain = "linear",
    tied: Sequence[int] | None = None,
) -> float:
    """Return the discounted cumulative gain of a list of grades in ranked order.

    >>> round(dcg([3, 0, 1]), 4)
    3.5
    """
    check_cutoff(cutoff)
    gains = averaged(gains_of(grades, gain), tied)
    return math.fsum(
        gain / math.log2(1 + rank) for rank, gain in enumerate(gains[:cutoff], start=1)
    )


def ideal_dcg(
    judged: Sequence[float], *, cutoff: int | None = None, gain: Gain = "linear"
) -> float:
    """Return the greatest DCG that any order of the judged records reaches."""
    return dcg(sorted(judged, reverse=True), cutoff=cutoff, gain=gain)


def _calculate(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    return dcg(ranking.grades, cutoff=cutoff, gain=options["gain"], tied=ranking.tied)


DEFINITION = Definition(
    name="dcg", calculate=_calculate, options={"gain": Choice(("linear", "exponential"))}
)
