"""S-recall: which share of the aspects do the first records cover?

Zhai, Cohen and Lafferty 2003 count subtopics; types are counted alike.  It says how many
kinds a list holds at all, not how they are spread (a global measure).
"""

import math
from collections.abc import Collection, Hashable, Sequence

from forebear.errors import InputError
from forebear_lab.evaluation.measures.definition import Definition, Options
from forebear_lab.evaluation.measures.judged_ranking import JudgedRanking
from forebear_lab.evaluation.measures.options import Count
from forebear_lab.evaluation.measures.ties import check_cutoff, draw_chance, tie_groups


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
    found = {aspect for record in covers for aspect in record}
    if len(found) > aspect_count:
        raise InputError(f"{len(found)} aspects in the list, but only {aspect_count} could appear")
    check_cutoff(cutoff)
    places = len(covers) if cutoff is None else cutoff
    chances = (_chance_seen(aspect, covers, places, tied) for aspect in found)
    return math.fsum(chances) / aspect_count if aspect_count else 0.0


def _chance_seen(
    aspect: Hashable,
    covers: Sequence[Collection[Hashable]],
    places: int,
    tied: Sequence[int] | None,
) -> float:
    for group in tie_groups(len(covers), tied):
        marked = sum(aspect in covers[position] for position in group)
        drawn = max(0, min(len(group), places - group.start))
        if marked:
            return 1 - draw_chance(0, marked=marked, total=len(group), drawn=drawn)
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


DEFINITION = Definition(
    name="srecall",
    spellings=("s_recall", "strecall"),
    calculate=_calculate,
    options={"types": Count(None), "rel": Count(1)},
    looks_at="aspects",
)
