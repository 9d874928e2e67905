"""Which words say how a record compares with a fact of the query?

The clauses that fired decide.  They are cumulative (the same name also sounds alike), so the
first of their levels in the table ``search/verdicts`` gives the words; a level that is not in the
table speaks by the words of its clause in the catalog.  What both sides say makes them precise:
two years apart, the same county but another town.
"""

from collections.abc import Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from forebear.normalize.place_levels import ids_by_level
from forebear.search.expansion.catalog import CatalogRow
from forebear.search.expansion.learned_variants import LearnedPairs, NameField, is_learned
from forebear.search.results.fact import Fact, part_of
from forebear.search.results.stated import Statement, Values
from forebear.tables import read_table

NOT_STATED = "not stated in the record"
NO_AGREEMENT = "does not agree"
NAME_IMPLIES_IT = "agrees, but the given name implies it"
NOT_COMPARED = "not compared with such records"
CONFLICT = "conflicts"
AGREES = "agrees"
APART = "{apart}"
LEARNED = "variant learned in this archive"
NOTHING_LEARNED: LearnedPairs = MappingProxyType({})
PARTS = {"given": "given name", "surname": "surname"}  # of the name of a relative


class Level(NamedTuple):
    """A level of agreement in words."""

    order: int
    words: str
    not_finer: str  # instead, if the record says nothing finer


def verdict(
    fact: Fact,
    fired: Sequence[tuple[CatalogRow, int]],
    statement: Statement,
    learned: LearnedPairs = NOTHING_LEARNED,
) -> str:
    """Return how a record compares with a fact, by the clauses that fired and their weights.

    ``learned`` are the name variants of the archive.
    """
    if not fired:
        return _without_clauses(fact, statement)
    parts = [[pair for pair in fired if part_of(pair[0].clause) == part] for part in PARTS]
    if fact.kind != "name" or not any(parts):
        return _words(fact, fired, statement, learned)
    # What clauses about the whole name add is stated of its parts.
    words = [_words(fact, rows, statement, learned) if rows else "" for rows in parts]
    if len({*words} - {""}) == 1:
        return next(filter(None, words))
    return "; ".join(f"{title}: {text}" for title, text in zip(PARTS.values(), words, strict=True))


def _without_clauses(fact: Fact, statement: Statement) -> str:
    """Return how they compare if no clause fired; none does for a sex that the name implies."""
    if not statement.recorded:
        return NOT_STATED
    stated = {value.text for value in statement.stated}
    is_same = all(value.text in stated for value in statement.recorded)
    return NAME_IMPLIES_IT if fact.kind == "sex" and is_same else NO_AGREEMENT


def _words(
    fact: Fact,
    fired: Sequence[tuple[CatalogRow, int]],
    statement: Statement,
    learned: LearnedPairs,
) -> str:
    positive = [(row, weight) for row, weight in fired if row.polarity > 0]
    negative = [(row, weight) for row, weight in fired if row.polarity < 0]
    phrases = [_best(fact, rows, statement, learned) for rows in (positive, negative) if rows]
    if sum(weight for _, weight in fired) < 0:
        phrases.reverse()
    return "; ".join(dict.fromkeys(phrases))


def _best(
    fact: Fact,
    fired: Sequence[tuple[CatalogRow, int]],
    statement: Statement,
    learned: LearnedPairs,
) -> str:
    """Return the words of the most specific level of clauses that are all for, or all against."""
    levels = _levels().get("name" if fact.is_name else fact.kind, {})
    listed = [(levels[last], row) for row, _ in fired if (last := _last(row)) in levels]
    if listed:
        level, row = min(listed, key=lambda pair: pair[0].order)
        if learned and _last(row) == "variant" and _is_learned(row, statement, learned):
            return LEARNED
        if APART in level.words:
            apart = years_apart(statement.stated, statement.recorded)
            return level.words.replace(APART, apart) if apart else row.words
        return level.words if _is_finer(row, statement.recorded) else level.not_finer or level.words
    row, _ = max(fired, key=lambda pair: abs(pair[1]))
    if row.kind == "absent":
        return NOT_STATED
    if row.kind == "conflict" and _last(row) == "conflict":
        return CONFLICT
    return AGREES if _last(row) == "match" and statement.recorded else row.words


def _is_learned(row: CatalogRow, statement: Statement, learned: LearnedPairs) -> bool:
    """Return whether only a pair that the archive learned joins the names of both sides."""
    kind: NameField = "given" if part_of(row.clause) in ("given", "middle") else "surname"
    stated, recorded = ([value.text for value in side] for side in statement)
    return is_learned(learned.get(kind, frozenset()), stated, recorded)


def years_apart(stated: Values, recorded: Values) -> str:
    """Return how far the years of both sides are apart; "" if one has none."""
    distances = [
        max(mine[0] - theirs[-1], theirs[0] - mine[-1], 0)
        for mine in (value.years for value in stated)
        for theirs in (value.years for value in recorded)
        if mine and theirs
    ]
    if not distances:
        return ""
    years = min(distances)
    return f"{years} year{'s' if years > 1 else ''} apart" if years else "the years fit"


def _is_finer(row: CatalogRow, recorded: Values) -> bool:
    """Return whether the record names a place inside the county, state or country that agrees."""
    level = _last(row)
    places = [ids_by_level(value.place) for value in recorded if value.place]
    levels_stated = [list(ids) for ids in places if level in ids]
    return not levels_stated or any(ids[-1] != level for ids in levels_stated)


def _last(row: CatalogRow) -> str:
    return row.clause.rpartition(".")[2]


@cache
def _levels() -> dict[str, dict[str, Level]]:
    levels: dict[str, dict[str, Level]] = {}
    for order, row in enumerate(read_table("search/verdicts")):
        level = Level(order, row["words"], row["not_finer"])
        levels.setdefault(row["kind"], {})[row["level"]] = level
    return levels
