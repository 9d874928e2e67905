"""Discounted cumulative gain: how relevant is the list, counting lower ranks less?

A record at rank i earns its gain divided by log2(1 + i) (Järvelin and Kekäläinen 2002).  The
gain is linear, the grade itself (trec_eval, scikit-learn), or exponential, 2^grade - 1 (RankLib,
LightGBM), which separates high grades further.  For yes-or-no judgments the two agree.

The sum has no fixed upper bound; `ndcg` divides it by the best possible value.
"""

import math
from collections.abc import Sequence
from typing import Literal

from forebear_lab.evaluation.measures.definition import (
    Choice,
    Definition,
    JudgedRanking,
    Options,
    averaged,
    check_cutoff,
)

Gain = Literal["linear", "exponential"]
GAIN_OPTION = Choice(("linear", "exponential"))


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


def gains_of(grades: Sequence[float], gain: Gain) -> list[float]:
    """Return the gain of each grade; a negative grade has gain 0.

    >>> gains_of([0, 1, 3, -1], "exponential")
    [0, 1, 7, 0]
    """
    counted = [max(0, grade) for grade in grades]
    return counted if gain == "linear" else [2**grade - 1 for grade in counted]


def _calculate(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    return dcg(ranking.grades, cutoff=cutoff, gain=options["gain"], tied=ranking.tied)


DEFINITIONS = (Definition(name="dcg", calculate=_calculate, options={"gain": GAIN_OPTION}),)
