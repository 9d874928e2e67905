"""Alpha-NDCG: alpha-DCG, divided by the best that could be reached.

What could be reached is a convention, and has to be named:

- `supply`: the records there are in the best order; so ndeval and ir_measures have it.  The
  best order is hard to find in general and is built greedily, always the record that earns
  the most next (Clarke et al. 2008); with one aspect a record that is exact.  Otherwise it
  depends on which of two that earn the same comes first: the later name, as in ndeval.
- `declared`: every one of the declared K types could have filled the list: the round robin.
  So lists that hold different types are measured by the same rod.
"""

import math
from collections import Counter, deque
from collections.abc import Collection, Hashable, Sequence

from forebear.errors import InputError
from forebear_lab.evaluation.measures.alpha_dcg import alpha_dcg
from forebear_lab.evaluation.measures.definition import Definition, Options
from forebear_lab.evaluation.measures.judged_ranking import JudgedRanking
from forebear_lab.evaluation.measures.options import Choice, Count, Share

Covers = Sequence[Collection[Hashable]]


def alpha_ndcg(
    covers: Covers,
    *,
    ideal: Covers,
    alpha: float = 0.5,
    cutoff: int | None = None,
    tied: Sequence[int] | None = None,
) -> float:
    """Return the alpha-NDCG of a list, given the list that could have been.

    >>> round(alpha_ndcg("AABBBCCC", ideal=greedy_order("AABBBCCC")), 3)
    0.948
    >>> round(alpha_ndcg("AABBBCCC", ideal=round_robin(8, type_count=4)), 3)
    0.838
    """
    best = alpha_dcg(ideal, alpha=alpha, cutoff=cutoff)
    return alpha_dcg(covers, alpha=alpha, cutoff=cutoff, tied=tied) / best if best else 0.0


def greedy_order(supply: Covers, *, alpha: float = 0.5, cutoff: int | None = None) -> Covers:
    """Return the records in the order in which each next one earns the most.

    Of records that earn the same, the one given first comes first.
    """
    waiting: dict[frozenset[Hashable], deque[int]] = {}
    for place, record in enumerate(supply):
        waiting.setdefault(frozenset(record), deque()).append(place)
    seen: Counter[Hashable] = Counter()
    order: list[frozenset[Hashable]] = []
    while waiting and (cutoff is None or len(order) < cutoff):
        best = max(waiting, key=lambda record: (_novelty(record, seen, alpha), -waiting[record][0]))
        waiting[best].popleft()
        if not waiting[best]:
            del waiting[best]
        seen.update(best)
        order.append(best)
    return order


def round_robin(length: int, *, type_count: int) -> Covers:
    """Return the best list of this length if every type has records without end."""
    return [(position % type_count,) for position in range(length)]


def _novelty(record: frozenset[Hashable], seen: Counter[Hashable], alpha: float) -> float:
    return math.fsum((1 - alpha) ** seen[aspect] for aspect in record)


def _calculate(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    aspects, alpha, rel = ranking.aspects, options["alpha"], options["rel"]
    covers = [aspects.covered(record, rel=rel) for record in aspects.ranked]
    if options["ideal"] == "declared":
        ideal = _declared(ranking, options["types"] or ranking.type_count)
    else:
        ideal = greedy_order(_supply(ranking, rel), alpha=alpha, cutoff=cutoff)
    return alpha_ndcg(covers, ideal=ideal, alpha=alpha, cutoff=cutoff, tied=ranking.tied)


def _declared(ranking: JudgedRanking, type_count: int) -> Covers:
    if not ranking.aspects.by_type:
        raise InputError(
            "alpha_ndcg(ideal=declared) is about types, but the judgments are by subtopic",
            hint="give the types, or leave the ideal at supply",
        )
    return round_robin(len(ranking.aspects.ranked), type_count=type_count)


def _supply(ranking: JudgedRanking, rel: int) -> Covers:
    if ranking.aspects.by_type:
        return [(name,) for name, count in ranking.supply.items() for _ in range(count)]
    return [ranking.aspects.covered(record, rel=rel) for record in ranking.aspects.judged]


DEFINITION = Definition(
    name="alpha_ndcg",
    calculate=_calculate,
    options={
        "alpha": Share(0.5),
        "ideal": Choice(("supply", "declared")),
        "types": Count(None),
        "rel": Count(1),
    },
    looks_at="aspects",
)
