"""How many of the first records are relevant, and how early do they come?

Precision, recall, success, reciprocal rank (its mean over queries is MRR) and average precision
(its mean is MAP).  All take ``gains`` in ranked order; a gain above 0 is relevant.
"""

import math
from collections.abc import Callable, Sequence

from forebear_lab.evaluation.measures.definition import (
    Count,
    Definition,
    JudgedRanking,
    Options,
    averaged,
    check_cutoff,
    draw_chance,
    tie_groups,
)


def precision(
    gains: Sequence[float], *, cutoff: int | None = None, tied: Sequence[int] | None = None
) -> float:
    """Return the share of the first ``cutoff`` places that hold a relevant record.

    Places that the list leaves empty count as not relevant, as in trec_eval.

    >>> precision([1, 0], cutoff=4)
    0.25
    """
    places = len(gains) if cutoff is None else cutoff
    return _count_relevant(gains, cutoff=cutoff, tied=tied) / places if places else 0.0


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
    return _count_relevant(gains, cutoff=cutoff, tied=tied) / relevant if relevant else 0.0


def success(
    gains: Sequence[float], *, cutoff: int | None = None, tied: Sequence[int] | None = None
) -> float:
    """Return 1.0 if any of the first ``cutoff`` records is relevant, else 0.0.

    Where it depends on the order of ties, the value is the probability.

    >>> success([0, 0, 1], cutoff=2)
    0.0
    >>> success([0, 0, 1], cutoff=2, tied=[1, 2])
    0.5
    """
    check_cutoff(cutoff)
    places = len(gains) if cutoff is None else cutoff
    for group in tie_groups(len(gains), tied):
        relevant = sum(gains[position] > 0 for position in group)
        draws = max(0, min(len(group), places - group.start))
        if relevant and draws:
            return 1 - draw_chance(0, marked=relevant, total=len(group), draws=draws)
    return 0.0


def reciprocal_rank(
    gains: Sequence[float], *, cutoff: int | None = None, tied: Sequence[int] | None = None
) -> float:
    """Return 1 over the rank of the first relevant record, or 0.0 without one.

    Among t tied records of which r are relevant, the first relevant one is the i-th in
    C(t - i, r - 1) of C(t, r) cases.

    >>> reciprocal_rank([0, 1, 1])
    0.5
    >>> reciprocal_rank([1, 0], tied=[2])
    0.75
    """
    check_cutoff(cutoff)
    for group in tie_groups(len(gains), tied):
        relevant = sum(gains[position] > 0 for position in group)
        if relevant:
            cases = math.comb(len(group), relevant)
            return math.fsum(
                math.comb(group.stop - position - 1, relevant - 1) / cases / (position + 1)
                for position in group[: cutoff if cutoff is None else max(0, cutoff - group.start)]
            )
    return 0.0


def average_precision(
    gains: Sequence[float],
    *,
    judged: Sequence[float] | None = None,
    cutoff: int | None = None,
    tied: Sequence[int] | None = None,
) -> float:
    """Return the average precision of a list; without ``judged`` all relevant records are in it.

    It is the sum of the precision at the rank of each relevant record, divided by the number of
    all relevant records.  Among t tied records of which r are relevant, the record at a place is
    relevant in r of t cases, and then each other record of the group in r - 1 of t - 1.

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
                so_far = above + 1 + (position - group.start) * share
                precisions.append(relevant / len(group) * so_far / (position + 1))
        above += relevant
    return math.fsum(precisions) / all_relevant if all_relevant else 0.0


def _count_relevant(
    gains: Sequence[float], *, cutoff: int | None, tied: Sequence[int] | None
) -> float:
    """Return the number of relevant records among the first, averaged over ties."""
    check_cutoff(cutoff)
    return math.fsum(averaged([float(gain > 0) for gain in gains], tied)[:cutoff])


def _define(
    name: str, measure: Callable[..., float], *, judged: bool = False, spellings: tuple[str, ...]
) -> Definition:
    """Return the definition of a measure that also needs all judged records, or does not."""

    def calculate(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
        rel = options["rel"]
        also = {"judged": ranking.judged_relevant(rel)} if judged else {}
        return measure(ranking.relevant(rel), cutoff=cutoff, tied=ranking.tied, **also)

    return Definition(
        name=name, calculate=calculate, spellings=spellings, options={"rel": Count(1)}
    )


DEFINITIONS = (
    _define("precision", precision, spellings=("p",)),
    _define("recall", recall, judged=True, spellings=("r",)),
    _define("success", success, spellings=()),
    _define("mrr", reciprocal_rank, spellings=("rr", "recip_rank")),
    _define("ap", average_precision, judged=True, spellings=("map",)),
)
