"""A ranking seen by somebody who means one aspect only: the ground of the -IA measures.

A query has several intents, here the aspects; an intent-aware measure is the mean, over
the intents, of a plain measure for which only records of that intent are relevant (Agrawal
et al., "Diversifying search results", 2009).  Two definitions are in use:

- `full`: records keep their places in the whole list (Agrawal et al.);
- `sublist`: the records of the intent are a list of their own, numbered from 1.  The table
  of diversity metrics of "Ranking in Genealogy" was made this way.  How types alternate
  then makes no difference, so it cannot speak of local diversity.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from forebear_lab.evaluation.measures.definition import Definition, Options
from forebear_lab.evaluation.measures.judged_ranking import Aspects, JudgedRanking
from forebear_lab.evaluation.measures.options import Choice, Option
from forebear_lab.evaluation.measures.ties import tie_groups

Positions = Literal["full", "sublist"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentRanking:
    """The list as one intent sees it."""

    grades: tuple[int, ...]
    judged: tuple[int, ...]
    tied: tuple[int, ...]


def mean_over_intents(
    aspects: Aspects,
    measure: Callable[[IntentRanking], float],
    *,
    positions: Positions,
    rel: int = 1,
    tied: Sequence[int] | None = None,
) -> float:
    """Return the mean of a measure over the intents of the query, all as likely."""
    rankings = [_seen_by(name, aspects, positions, tied) for name in aspects.names(rel=rel)]
    return math.fsum(map(measure, rankings)) / len(rankings) if rankings else 0.0


def define_intent_aware(
    name: str,
    measure: Callable[..., float],
    *,
    options: Mapping[str, Option],
    spellings: tuple[str, ...] = (),
) -> Definition:
    """Return what the name of an intent-aware measure stands for.

    ``measure`` takes the aspects, and as keywords the cutoff, the ties, the positions and its
    own ``options``.
    """

    def calculate(ranking: JudgedRanking, cutoff: int | None, told: Options) -> float:
        return measure(ranking.aspects, cutoff=cutoff, tied=ranking.tied, **told)

    return Definition(
        name=name,
        spellings=spellings,
        calculate=calculate,
        options={"positions": Choice(("full", "sublist")), **options},
        looks_at="graded aspects",
    )


def _seen_by(
    name: str, aspects: Aspects, positions: Positions, tied: Sequence[int] | None
) -> IntentRanking:
    groups = [
        [
            aspects.ranked[position].get(name, 0)
            for position in group
            if positions == "full" or name in aspects.ranked[position]
        ]
        for group in tie_groups(len(aspects.ranked), tied)
    ]
    return IntentRanking(
        grades=tuple(grade for group in groups for grade in group),
        judged=tuple(record[name] for record in aspects.judged if name in record),
        tied=tuple(len(group) for group in groups if group),
    )
