"""Normalized discounted cumulative gain: how near the top are the relevant records?

The DCG of the list, divided by the DCG of the best order of all judged records, in the list or
not (Järvelin and Kekäläinen 2002; "Ranking in Genealogy", section 4).

Records with equal scores have no order; `expected_ndcg` is the mean over every order that they
could have.  Learners maximize that one, so the order of a file cannot reveal its labels.
"""

from collections.abc import Sequence
from itertools import groupby

from forebear.errors import InputError
from forebear_lab.evaluation.measures.dcg import GAIN_OPTION, Gain, dcg, ideal_dcg
from forebear_lab.evaluation.measures.definition import Definition, JudgedRanking, Options


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


def _calculate(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    return ndcg(
        ranking.grades,
        judged=ranking.judged,
        cutoff=cutoff,
        gain=options["gain"],
        tied=ranking.tied,
    )


DEFINITIONS = (Definition(name="ndcg", calculate=_calculate, options={"gain": GAIN_OPTION}),)
