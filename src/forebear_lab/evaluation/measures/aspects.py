"""S-recall, alpha-DCG, alpha-NDCG: how many aspects does a list cover, and how much of it is new?

S-recall is the share of the aspects that the first records cover.  Zhai, Cohen and Lafferty 2003
count subtopics; types are counted in the same way.  It measures how many aspects a list has at all,
not how they are spread.

Alpha-DCG is gain that shrinks each time an aspect is seen again: the record at rank i earns, for
each aspect that it covers, (1 - alpha)^(number of records above it with the aspect) / log2(1 + i)
(Clarke et al., "Novelty and diversity in information retrieval evaluation", 2008).  Alpha-NDCG
divides the sum by the best possible one.  What is possible is a convention, and has to be named:

- `supply`: the existing records in the best order, as in ndeval and ir_measures.  The best order
  is hard to find in general and is built greedily, always the record that earns the most next
  (Clarke et al. 2008); with one aspect a record that is exact.  Otherwise it depends on which of
  two that earn the same comes first: the later name, as in ndeval.
- `declared`: each of the declared K types could have filled the list, in turn.  So lists that
  hold different types are measured on the same scale.
"""

import math
from collections import Counter, deque
from collections.abc import Collection, Hashable, Iterator, Sequence

from forebear.errors import InputError
from forebear_lab.evaluation.measures.definition import (
    Choice,
    Count,
    Definition,
    JudgedRanking,
    Options,
    Share,
    check_cutoff,
    draw_chance,
    tie_groups,
)

Covers = Sequence[Collection[Hashable]]  # what each ranked record covers


def srecall(
    covers: Sequence[Collection[Hashable]],
    *,
    aspect_count: int,
    cutoff: int | None = None,
    tied: Sequence[int] | None = None,
) -> float:
    """Return the share of all aspects that the first records cover.

    ``covers`` holds what each ranked record covers.

    >>> srecall(["A", "A", "B", "C"], aspect_count=4, cutoff=3)
    0.5
    """
    aspects = {aspect for record in covers for aspect in record}
    if len(aspects) > aspect_count:
        raise InputError(
            f"{len(aspects)} aspects in the list, but only {aspect_count} could appear"
        )
    check_cutoff(cutoff)
    places = len(covers) if cutoff is None else cutoff
    chances = (_chance_covered(aspect, covers, places, tied) for aspect in aspects)
    return math.fsum(chances) / aspect_count if aspect_count else 0.0


def _chance_covered(
    aspect: Hashable,
    covers: Sequence[Collection[Hashable]],
    places: int,
    tied: Sequence[int] | None,
) -> float:
    for group in tie_groups(len(covers), tied):
        marked = sum(aspect in covers[position] for position in group)
        draws = max(0, min(len(group), places - group.start))
        if marked:
            return 1 - draw_chance(0, marked=marked, total=len(group), draws=draws)
    return 0.0


def _calculate_srecall(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    aspects, rel = ranking.aspects, options["rel"]
    declared = options["types"] or ranking.type_count
    return srecall(
        [aspects.covered(record, rel=rel) for record in aspects.ranked],
        aspect_count=declared if aspects.by_type else len(aspects.names(rel=rel)),
        cutoff=cutoff,
        tied=ranking.tied,
    )


def alpha_dcg(
    covers: Covers,
    *,
    alpha: float = 0.5,
    cutoff: int | None = None,
    tied: Sequence[int] | None = None,
) -> float:
    """Return the alpha-DCG of a list.

    >>> round(alpha_dcg("AABBBCCC"), 4)
    2.7293
    """
    check_cutoff(cutoff)
    if not 0 <= alpha <= 1:
        raise InputError(f"alpha lies between 0 and 1, and is not {alpha}")
    return math.fsum(_earnings(covers, 1 - alpha, cutoff, tied))


def alpha_ndcg(
    covers: Covers,
    *,
    ideal: Covers,
    alpha: float = 0.5,
    cutoff: int | None = None,
    tied: Sequence[int] | None = None,
) -> float:
    """Return the alpha-NDCG of a list, given the best list that was possible.

    >>> round(alpha_ndcg("AABBBCCC", ideal=greedy_order("AABBBCCC")), 3)
    0.948
    >>> round(alpha_ndcg("AABBBCCC", ideal=round_robin(8, type_count=4)), 3)
    0.838
    """
    best = alpha_dcg(ideal, alpha=alpha, cutoff=cutoff)
    return alpha_dcg(covers, alpha=alpha, cutoff=cutoff, tied=tied) / best if best else 0.0


def greedy_order(supply: Covers, *, alpha: float = 0.5, cutoff: int | None = None) -> Covers:
    """Return the records in the order in which the next one always earns the most.

    Of records that earn the same, the one given first comes first.
    """
    waiting: dict[frozenset[Hashable], deque[int]] = {}
    for place, record in enumerate(supply):
        waiting.setdefault(frozenset(record), deque()).append(place)
    seen: Counter[Hashable] = Counter()

    def priority(record: frozenset[Hashable]) -> tuple[float, int]:
        novelty = math.fsum((1 - alpha) ** seen[aspect] for aspect in record)
        return novelty, -waiting[record][0]

    order: list[frozenset[Hashable]] = []
    while waiting and (cutoff is None or len(order) < cutoff):
        best = max(waiting, key=priority)
        waiting[best].popleft()
        if not waiting[best]:
            del waiting[best]
        seen.update(best)
        order.append(best)
    return order


def round_robin(length: int, *, type_count: int) -> Covers:
    """Return the best list of this length if every type has unlimited records."""
    return [(position % type_count,) for position in range(length)]


def _earnings(
    covers: Covers, factor: float, cutoff: int | None, tied: Sequence[int] | None
) -> Iterator[float]:
    """Yield what each place earns; ``factor`` is what remains when an aspect is seen again."""
    seen: Counter[Hashable] = Counter()
    for group in tie_groups(len(covers), tied):
        inside = Counter(aspect for position in group for aspect in covers[position])
        for position in group:
            if cutoff is not None and position >= cutoff:
                return
            discount = math.log2(2 + position)
            for aspect, marked in inside.items():
                novelty = _mean_novelty(factor, marked, len(group), position - group.start)
                yield factor ** seen[aspect] * novelty / discount
        seen += inside


def _mean_novelty(factor: float, marked: int, size: int, above: int) -> float:
    """Return what one place in a tied group earns for one aspect, averaged over orders.

    The place holds one of the ``marked`` records in marked / size cases, and then some of
    the others that are marked are among the ``above`` records of the group above it.
    """
    if size == 1:
        return 1.0
    return math.fsum(
        marked
        / size
        * draw_chance(hits, marked=marked - 1, total=size - 1, draws=above)
        * factor**hits
        for hits in range(min(marked - 1, above) + 1)
    )


def _covers(ranking: JudgedRanking, options: Options) -> Covers:
    aspects = ranking.aspects
    return [aspects.covered(record, rel=options["rel"]) for record in aspects.ranked]


def _ideal(ranking: JudgedRanking, cutoff: int | None, options: Options) -> Covers:
    aspects = ranking.aspects
    if options["ideal"] == "declared":
        if not aspects.by_type:
            raise InputError(
                "alpha_ndcg(ideal=declared) is about types, but the judgments are by subtopic",
                hint="give the types, or leave the ideal at supply",
            )
        type_count = options["types"] or ranking.type_count
        return round_robin(len(aspects.ranked), type_count=type_count)
    supply: Covers
    if aspects.by_type:
        supply = [(name,) for name, count in ranking.supply.items() for _ in range(count)]
    else:
        supply = [aspects.covered(record, rel=options["rel"]) for record in aspects.judged]
    return greedy_order(supply, alpha=options["alpha"], cutoff=cutoff)


def _calculate_dcg(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    covers = _covers(ranking, options)
    return alpha_dcg(covers, alpha=options["alpha"], cutoff=cutoff, tied=ranking.tied)


def _calculate_ndcg(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    return alpha_ndcg(
        _covers(ranking, options),
        ideal=_ideal(ranking, cutoff, options),
        alpha=options["alpha"],
        cutoff=cutoff,
        tied=ranking.tied,
    )


DEFINITIONS = (
    Definition(
        name="srecall",
        spellings=("s_recall", "strecall"),
        calculate=_calculate_srecall,
        options={"types": Count(None), "rel": Count(1)},
        looks_at="aspects",
    ),
    Definition(
        name="alpha_dcg",
        calculate=_calculate_dcg,
        options={"alpha": Share(0.5), "rel": Count(1)},
        looks_at="aspects",
    ),
    Definition(
        name="alpha_ndcg",
        calculate=_calculate_ndcg,
        options={
            "alpha": Share(0.5),
            "ideal": Choice(("supply", "declared")),
            "types": Count(None),
            "rel": Count(1),
        },
        looks_at="aspects",
    ),
)
