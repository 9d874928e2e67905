"""Discounted cumulative gain (DCG, NDCG): how near the top are the relevant records?

A record at rank i earns its gain divided by log2(1 + i) (Järvelin and Kekäläinen 2002).  The
gain is linear, the grade itself (trec_eval, scikit-learn), or exponential, 2^grade - 1 (RankLib,
LightGBM), which separates high grades further.  For yes-or-no judgments the two agree.

The sum has no fixed upper bound.  NDCG divides it by the DCG of the best order of all judged
records, in the list or not ("Ranking in Genealogy", section 4).

Records with equal scores have no order; `expected_ndcg` is the mean over every order that they
could have.  Learners maximize that one, so the order of a file cannot reveal its labels.
"""

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Literal

from forebear.errors import InputError
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


def _calculate_dcg(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    return dcg(ranking.grades, cutoff=cutoff, gain=options["gain"], tied=ranking.tied)


def ndcg(
    grades: Sequence[float],
    *,
    judged: Sequence[float] | None = None,
    cutoff: int | None = None,
    gain: Gain = "linear",
    tied: Sequence[int] | None = None,
) -> float:
    """Return the NDCG of a list of grades in ranked order.

    ``judged`` holds the grades of all judged records of the query in any order (without
    it: those of the list).  A query without a relevant record has value 0.0.

    >>> round(ndcg([0, 1, 1]), 4)
    0.6934
    >>> round(ndcg([1, 0], judged=[1, 1]), 4)
    0.6131
    """
    ideal = ideal_dcg(grades if judged is None else judged, cutoff=cutoff, gain=gain)
    return dcg(grades, cutoff=cutoff, gain=gain, tied=tied) / ideal if ideal else 0.0


def expected_ndcg(
    scores: Sequence[float], grades: Sequence[float], *, cutoff: int | None = None
) -> float:
    """Return the mean NDCG over every order that the scores allow.

    >>> round(expected_ndcg([0.5, 0.75, 0.75, 0.0], [1, 1, 0, 0]), 4)
    0.8066
    """
    if len(scores) != len(grades):
        raise InputError(f"{len(scores)} scores but {len(grades)} gains")
    order = sorted(range(len(scores)), key=lambda record: -scores[record])
    tied = [len(list(group)) for _, group in groupby(order, key=lambda record: scores[record])]
    return ndcg([grades[record] for record in order], cutoff=cutoff, tied=tied)


def _calculate_ndcg(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    return ndcg(
        ranking.grades,
        judged=ranking.judged,
        cutoff=cutoff,
        gain=options["gain"],
        tied=ranking.tied,
    )


DEFINITIONS = (
    Definition(name="ndcg", calculate=_calculate_ndcg, options={"gain": GAIN_OPTION}),
    Definition(name="dcg", calculate=_calculate_dcg, options={"gain": GAIN_OPTION}),
)
