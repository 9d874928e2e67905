"""S-recall: which share of the aspects do the first records cover?

Zhai, Cohen and Lafferty 2003 count subtopics; types are counted in the same way.  It measures how
many aspects a list has at all, not how they are spread.
"""

import math
from collections.abc import Collection, Hashable, Sequence

from forebear.errors import InputError
from forebear_lab.evaluation.measures.definition import (
    Count,
    Definition,
    JudgedRanking,
    Options,
    check_cutoff,
    draw_chance,
    tie_groups,
)


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


def _calculate(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    aspects, rel = ranking.aspects, options["rel"]
    declared = options["types"] or ranking.type_count
    return srecall(
        [aspects.covered(record, rel=rel) for record in aspects.ranked],
        aspect_count=declared if aspects.by_type else len(aspects.names(rel=rel)),
        cutoff=cutoff,
        tied=ranking.tied,
    )


DEFINITIONS = (
    Definition(
        name="srecall",
        spellings=("s_recall", "strecall"),
        calculate=_calculate,
        options={"types": Count(None), "rel": Count(1)},
        looks_at="aspects",
    ),
)
