"""Comparisons: which clauses speak of the same thing, and how strongly they agree.

Clauses overlap: a county agrees wherever the town does, a year wherever the day does, and
where somebody was born, baptized and lived is mostly one place.  Evidence may only be added up
between things that do not follow from each other, so clauses are taken together in a few broad
comparisons (``tables/comparisons.csv``: the first pattern that fits decides).  The outcome of a
comparison is how many whole bits its firing clauses are worth by the weights known before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

import numpy as np
from numpy.typing import NDArray

from forebear.learning.candidate_pairs import CandidatePairs
from forebear.learning.match_mixture import Comparison
from forebear.tables import read_table


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRule:
    """One line of the table."""

    pattern: str  # of clause names
    comparison: str
    is_gated: bool  # does the gate choose candidates by it?


def compare_pairs(pairs: CandidatePairs, known: NDArray[np.float64]) -> list[Comparison]:
    """Return the comparisons of pairs; ``known`` has the bits of each clause so far."""
    columns: dict[tuple[str, bool], list[int]] = {}
    for column, clause in enumerate(pairs.clauses):
        rule = rule_of(clause)
        columns.setdefault((rule.comparison, rule.is_gated), []).append(column)
    return [
        _compare(name, found, pairs, known[found], is_gated=is_gated)
        for (name, is_gated), found in columns.items()
    ]


@cache
def rule_of(clause: str) -> ComparisonRule:
    """Return the line of the table that a clause falls under.

    >>> rule_of("birth.place.county").comparison
    'places'
    """
    return next(rule for rule in _rules() if fnmatchcase(clause, rule.pattern))


@cache
def _rules() -> tuple[ComparisonRule, ...]:
    return tuple(
        ComparisonRule(
            pattern=row["pattern"], comparison=row["comparison"], is_gated=row["gated"] == "yes"
        )
        for row in read_table("learning/comparisons")
    )


def _compare(
    name: str,
    columns: Sequence[int],
    pairs: CandidatePairs,
    known: NDArray[np.float64],
    *,
    is_gated: bool,
) -> Comparison:
    worth = np.concatenate([pairs.bits[:, columns] @ known, pairs.random_bits[:, columns] @ known])
    levels, where = np.unique(np.round(worth), return_inverse=True)
    owners = np.concatenate([pairs.owners, pairs.random_owners])
    is_asked = np.asarray(pairs.asked[:, columns].any(axis=1), np.bool_)
    outcomes = np.where(is_asked[owners], where, -1)
    mine, strangers = np.split(outcomes, [pairs.owners.size])
    counts = np.bincount(strangers[strangers >= 0], minlength=levels.size)
    return Comparison(
        name=name,
        outcomes=mine,
        known_bits=levels,
        random_counts=None if is_gated else counts.astype(np.float64),
    )
