"""Clauses about places: this place or inside it, the same at each level, sharing a word."""

from collections.abc import Callable, Iterable

from forebear.normalize.places import ancestor_ids, ids_by_level, place_id, place_words
from forebear.records.places import Place
from forebear.search.expansion.catalog import CatalogRow
from forebear.search.expansion.clauses import (
    Clause,
    absent_clause,
    conflict_clause,
    term_clause,
)
from forebear.search.expansion.facts import Facts
from forebear.search.terms.fields import NOWHERE, terms

Builder = Callable[[CatalogRow, Facts], Clause | None]


def build_exact(row: CatalogRow, facts: Facts) -> Clause | None:
    """This place or inside it."""
    ids = {place_id(place.levels) for place in _needed_places(row, facts)}
    return term_clause(row.clause, terms(row.fields[0], ids))


def build_level(level: str) -> Builder:
    """Return the builder for "the same place at that level"."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        ids = level_ids(level, _needed_places(row, facts))
        return term_clause(row.clause, terms(row.fields[0], ids))

    return build


def build_text(row: CatalogRow, facts: Facts) -> Clause | None:
    """Shares a word of the place's own name, whatever it lies in."""
    words = {word for place in _needed_places(row, facts) for word in place_words(place.levels[0])}
    return term_clause(row.clause, terms(row.fields[0], words))


def build_missing(row: CatalogRow, facts: Facts) -> Clause | None:
    """The query has the place, records of this part usually do, this one does not."""
    if facts.needed(row) is None:
        return None
    fields = row.fields[:-1]
    return absent_clause(row.clause, fields, facts.knowledge.parts_with(frozenset(fields)))


def build_conflict(row: CatalogRow, facts: Facts) -> Clause | None:
    """In another country; a place whose country is not known contradicts nothing."""
    countries = [ids_by_level(place).get("country") for place in _needed_places(row, facts)]
    known = [id_ for id_ in countries if id_]
    if not known or len(known) < len(countries):
        return None
    return conflict_clause(row.clause, row.fields[0], terms(row.fields[0], [*known, NOWHERE]))


def build_coverage(row: CatalogRow, facts: Facts) -> Clause | None:
    """The collection covers a place of the person's life."""
    ids = {id_ for place in facts.every_place for id_ in ancestor_ids(place)}
    return term_clause(row.clause, terms(row.fields[0], ids))


def level_ids(level: str, places: Iterable[Place]) -> frozenset[str]:
    """Return the ids of the places' ancestors at a level, of those that have one."""
    found = (ids_by_level(place).get(level) for place in places)
    return frozenset(id_ for id_ in found if id_)


def _needed_places(row: CatalogRow, facts: Facts) -> tuple[Place, ...]:
    words = facts.needed(row)
    if not words:
        return ()
    word = words[0]
    if word == "places":
        return facts.every_place
    return facts.places.get(word.removesuffix(".place"), facts.places.get(word, ()))


_LEVELS: dict[str, Builder] = {
    "exact": build_exact,
    "town": build_level("town"),
    "county": build_level("county"),
    "state": build_level("state"),
    "country": build_level("country"),
    "text": build_text,
    "missing": build_missing,
    "conflict": build_conflict,
}

BUILDERS: dict[str, Builder] = {
    **{f"place.{level}": build for level, build in _LEVELS.items()},
    **{f"birthplace.{level}": _LEVELS[level] for level in ("exact", "country")},
    "coverage.match": build_coverage,
}
