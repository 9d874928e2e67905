"""Normalized discounted cumulative gain: how near the top are the relevant records?

A record at rank i earns its gain divided by log2(1 + i), and the sum is divided by what
the best order of all judged records, found or not, would have earned (Järvelin and
Kekäläinen 2002; "Ranking in Genealogy", section 4).  The gain is the grade itself, as in
trec_eval; for binary judgments the exponential gain is the same number.

Records with equal scores have no order.  `expected_ndcg` takes the mean over every order
they could have: a record that shares ranks a + 1 ... a + t with others earns the mean
discount of these ranks.  Learners maximize that one, so no file order can leak labels.
"""

import math
from collections.abc import Sequence

from forebear.errors import InputError


def ndcg(
    gains: Sequence[float], *, judged: Sequence[float] | None = None, cutoff: int | None = None
) -> float:
    """Return the NDCG of a list of gains in ranked order.

    ``judged`` holds the gains of all judged records of the query in any order (without
    it: those of the list).  A query without a relevant record has nothing to find: 0.0.

    >>> round(ndcg([0, 1, 1]), 4)
    0.6934
    >>> round(ndcg([1, 0], judged=[1, 1]), 4)
    0.6131
    """
    ideal = ideal_dcg(gains if judged is None else judged, cutoff=cutoff)
    return dcg(gains, cutoff=cutoff) / ideal if ideal else 0.0


def dcg(gains: Sequence[float], *, cutoff: int | None = None) -> float:
    """Return the discounted cumulative gain of a list of gains in ranked order."""
    _check_cutoff(cutoff)
    return math.fsum(
        gain / math.log2(1 + rank) for rank, gain in enumerate(gains[:cutoff], start=1)
    )


def ideal_dcg(judged: Sequence[float], *, cutoff: int | None = None) -> float:
    """Return the greatest DCG that any order of the judged records reaches."""
    return dcg(sorted((gain for gain in judged if gain > 0), reverse=True), cutoff=cutoff)


def expected_ndcg(
    scores: Sequence[float], gains: Sequence[float], *, cutoff: int | None = None
) -> float:
    """Return the mean NDCG over every order that the scores allow.

    >>> round(expected_ndcg([0.5, 0.75, 0.75, 0.0], [1, 1, 0, 0]), 4)
    0.8066
    """
    if len(scores) != len(gains):
        raise InputError(f"{len(scores)} scores but {len(gains)} gains")
    ideal = ideal_dcg(gains, cutoff=cutoff)
    if not ideal:
        return 0.0
    return (
        math.fsum(
            gain * _mean_discount(score, scores, cutoff)
            for score, gain in zip(scores, gains, strict=True)
            if gain > 0
        )
        / ideal
    )


def _mean_discount(score: float, scores: Sequence[float], cutoff: int | None) -> float:
    above = sum(other > score for other in scores)
    tied = sum(other == score for other in scores)
    first_to_last = range(above + 1, above + tied + 1)
    counted = (rank for rank in first_to_last if cutoff is None or rank <= cutoff)
    return math.fsum(1 / math.log2(1 + rank) for rank in counted) / tied


def _check_cutoff(cutoff: int | None) -> None:
    if cutoff is not None and cutoff < 1:
        raise InputError(f"a cutoff is at least 1, not {cutoff}")
