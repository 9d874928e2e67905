"""Intent-aware measures: how good is a ranking for a person who means one aspect only?

A query has several intents, here the aspects; an intent-aware measure is the mean, over the
intents, of a plain measure for which only records of that intent are relevant (Agrawal et al.,
"Diversifying search results", 2009).  NDCG-IA, MRR-IA and MAP-IA differ in the plain measure.
Two definitions are in use:

- `full`: records keep their places in the whole list (Agrawal et al.);
- `sublist`: the records of the intent form a separate list, numbered from 1.  The table of
  diversity metrics of "Ranking in Genealogy" uses it.  How types alternate then makes no
  difference, so it does not measure local diversity.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from forebear_lab.evaluation.measures.definition import (
    Aspects,
    Choice,
    Count,
    Definition,
    JudgedRanking,
    Option,
    Options,
    tie_groups,
)
from forebear_lab.evaluation.measures.ndcg import GAIN_OPTION, Gain, ndcg
from forebear_lab.evaluation.measures.relevance import average_precision, reciprocal_rank

Positions = Literal["full", "sublist"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentRanking:
    """The list as one intent sees it."""

    grades: tuple[int, ...]
    judged: tuple[int, ...]
    tied: tuple[int, ...]


def ndcg_ia(
    aspects: Aspects,
    *,
    cutoff: int | None = None,
    positions: Positions = "full",
    gain: Gain = "linear",
    tied: Sequence[int] | None = None,
) -> float:
    """Return the intent-aware NDCG of a list."""

    def measure(intent: IntentRanking) -> float:
        return ndcg(intent.grades, judged=intent.judged, cutoff=cutoff, gain=gain, tied=intent.tied)

    return mean_over_intents(aspects, measure, positions=positions, tied=tied)


def mrr_ia(
    aspects: Aspects,
    *,
    cutoff: int | None = None,
    positions: Positions = "full",
    rel: int = 1,
    tied: Sequence[int] | None = None,
) -> float:
    """Return the intent-aware reciprocal rank of a list."""

    def measure(intent: IntentRanking) -> float:
        relevant = [grade >= rel for grade in intent.grades]
        return reciprocal_rank(relevant, cutoff=cutoff, tied=intent.tied)

    return mean_over_intents(aspects, measure, positions=positions, rel=rel, tied=tied)


def map_ia(
    aspects: Aspects,
    *,
    cutoff: int | None = None,
    positions: Positions = "full",
    rel: int = 1,
    tied: Sequence[int] | None = None,
) -> float:
    """Return the intent-aware average precision of a list."""

    def measure(intent: IntentRanking) -> float:
        return average_precision(
            [grade >= rel for grade in intent.grades],
            judged=[grade >= rel for grade in intent.judged],
            cutoff=cutoff,
            tied=intent.tied,
        )

    return mean_over_intents(aspects, measure, positions=positions, rel=rel, tied=tied)


def mean_over_intents(
    aspects: Aspects,
    measure: Callable[[IntentRanking], float],
    *,
    positions: Positions,
    rel: int = 1,
    tied: Sequence[int] | None = None,
) -> float:
    """Return the mean of a measure over the intents of the query, all equally likely."""
    rankings = [_ranking_of(name, aspects, positions, tied) for name in aspects.names(rel=rel)]
    return math.fsum(map(measure, rankings)) / len(rankings) if rankings else 0.0


def _ranking_of(
    intent: str, aspects: Aspects, positions: Positions, tied: Sequence[int] | None
) -> IntentRanking:
    groups = [
        [
            aspects.ranked[position].get(intent, 0)
            for position in group
            if positions == "full" or intent in aspects.ranked[position]
        ]
        for group in tie_groups(len(aspects.ranked), tied)
    ]
    return IntentRanking(
        grades=tuple(grade for group in groups for grade in group),
        judged=tuple(record[intent] for record in aspects.judged if intent in record),
        tied=tuple(len(group) for group in groups if group),
    )


def _define(
    name: str,
    measure: Callable[..., float],
    *,
    options: Mapping[str, Option],
    spellings: tuple[str, ...] = (),
) -> Definition:
    def calculate(ranking: JudgedRanking, cutoff: int | None, given: Options) -> float:
        return measure(ranking.aspects, cutoff=cutoff, tied=ranking.tied, **given)

    return Definition(
        name=name,
        spellings=spellings,
        calculate=calculate,
        options={"positions": Choice(("full", "sublist")), **options},
        looks_at="graded aspects",
    )


DEFINITIONS = (
    _define("ndcg_ia", ndcg_ia, options={"gain": GAIN_OPTION}),
    _define("mrr_ia", mrr_ia, options={"rel": Count(1)}, spellings=("rr_ia",)),
    _define("map_ia", map_ia, options={"rel": Count(1)}, spellings=("ap_ia",)),
)
