"""Clauses about places: this place or inside it, the same at each level, near, renamed."""

from collections.abc import Iterable

from forebear.normalize.place_levels import (
    ancestor_ids,
    ids_by_level,
    place_id,
    place_words,
    renamed,
)
from forebear.normalize.regions import divided_from, regions_of
from forebear.records.record import Place
from forebear.search.expansion.catalog import CatalogRow, Clause, conflict_clause, term_clause
from forebear.search.expansion.clauses.builder import Builder, build_missing
from forebear.search.expansion.query_facts import Facts
from forebear.search.expansion.year_rules import NEAR_DISTRICT_KM
from forebear.search.terms.term import NOWHERE, terms

# At which level, counted from the largest, a place of no known country has its town and county.
_FROM_LARGEST = {"town": 3, "county": 2}
UNCOMMON_SHARE = 0.25  # a word of more than a quarter of all places tells none apart


def build_exact(row: CatalogRow, facts: Facts) -> Clause | None:
    """This place or inside it."""
    ids = {place_id(place.levels) for place in facts.needed_places(row)}
    return term_clause(row, terms(row.fields[0], ids))


def build_level(level: str) -> Builder:
    """Return the builder for "the same place at that level"."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        ids = level_ids(level, facts.needed_places(row))
        return term_clause(row, terms(row.fields[0], ids))

    return build


def build_near(kilometers: int) -> Builder:
    """Return the builder for places at most this far away, by their coordinates."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        ids = near_ids(facts.needed_places(row), kilometers, facts)
        return term_clause(row, terms(row.fields[0], ids))

    return build


def near_ids(places: Iterable[Place], kilometers: int, facts: Facts) -> frozenset[str]:
    """Return the ids of the places this near to any of these, themselves included."""
    near = facts.knowledge.places_near
    return frozenset(id_ for place in places for id_ in near(place_id(place.levels), kilometers))


def build_renamed(row: CatalogRow, facts: Facts) -> Clause | None:
    """The same place under an older or newer name, whatever it then lay in."""
    knowledge = facts.knowledge
    ids: set[str] = set()
    for place in facts.needed_places(row):
        ids.update(knowledge.places_renamed(place_id(place.levels)))
        for name in renamed(place.levels[0]):
            ids.update(knowledge.places_named(name))
    return term_clause(row, terms(row.fields[0], ids), note="the place had other names")


def build_text(row: CatalogRow, facts: Facts) -> Clause | None:
    """Shares an uncommon word of the place's own name, whatever it lies in."""
    field = row.fields[0]
    words = {word for p in facts.needed_places(row) for word in place_words(p.levels[0])}
    shares = facts.knowledge.shares(field, words)
    telling = [word for word, share in shares.items() if share <= UNCOMMON_SHARE]
    return term_clause(row, terms(field, telling))


def build_conflict(row: CatalogRow, facts: Facts) -> Clause | None:
    """In another country; a place whose country is not known contradicts nothing."""
    places = facts.needed_places(row)
    countries = level_ids("country", places)
    # The words of a query may mean several places, of which one has a country.
    with_country = {place.text for place in places if ids_by_level(place)}
    if not countries or not all(place.text in with_country for place in places):
        return None
    return conflict_clause(row, terms(row.fields[0], [*countries, NOWHERE]))


def build_other_region(level: str) -> Builder:
    """Return the builder for "in another state (or county) of the same country".

    A region that was once one with the place's own contradicts nothing, nor does a record that
    may mean either.
    """

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        same: set[str] = set()
        others: set[str] = set()
        for place in facts.needed_places(row):
            name, _, country = ids_by_level(place).get(level, "").removeprefix("p:").partition(",")
            regions = regions_of(country, level)
            if name not in regions:
                return None
            same |= {place_id((region, country)) for region in (name, *divided_from(name))}
            others |= {place_id((region, country)) for region in regions}
        field = row.fields[0]
        return term_clause(row, terms(field, others - same), none_of=terms(field, same))

    return build


def build_coverage(row: CatalogRow, facts: Facts) -> Clause | None:
    """The collection covers a place of the person's life."""
    ids = {id_ for place in facts.every_place for id_ in ancestor_ids(place)}
    return term_clause(row, terms(row.fields[0], ids))


def build_district(*, near: bool) -> Builder:
    """Return the builder for the registration district of a place (rule 9).

    A district bears the name of its market town: it covers that town and what lies in it,
    and a place near the town may belong to it.
    """

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        places = facts.needed_places(row)
        ids = {place_id(place.levels) for place in places} | level_ids("town", places)
        if near:
            ids |= near_ids(places, NEAR_DISTRICT_KM, facts)
        return term_clause(row, terms(row.fields[0], ids))

    return build


def level_ids(level: str, places: Iterable[Place]) -> frozenset[str]:
    """Return the ids of the places' ancestors at a level, of those that have one.

    Where the country is unknown, the largest level is taken for it, and the place without it
    counts too, as records write it.
    """
    ids: set[str] = set()
    for place in places:
        by_level = ids_by_level(place)
        if by_level:
            ids.update([by_level[level]] if level in by_level else ())
        elif level in _FROM_LARGEST and len(place.levels) >= _FROM_LARGEST[level]:
            names = place.levels[-_FROM_LARGEST[level] :]
            ids.update((place_id(names), place_id(names[:-1])))
    return frozenset(ids)


_LEVELS: dict[str, Builder] = {
    "exact": build_exact,
    **{level: build_level(level) for level in ("town", "county", "state", "country")},
    **{f"near{kilometers}": build_near(kilometers) for kilometers in (10, 30, 100)},
    "renamed": build_renamed,
    "text": build_text,
    "other_state": build_other_region("state"),
    "other_county": build_other_region("county"),
    "missing": build_missing,
    "conflict": build_conflict,
}

BUILDERS: dict[str, Builder] = {
    **{f"place.{level}": build for level, build in _LEVELS.items()},
    **{f"birthplace.{level}": _LEVELS[level] for level in ("exact", "country")},
    "coverage.match": build_coverage,
    "district.match": build_district(near=False),
    "district.near": build_district(near=True),
}
