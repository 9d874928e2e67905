"""Tests for `forebear.search.expansion.clause_cache`: what is built once for many queries."""

from collections.abc import Callable
from typing import Any

import pytest

from forebear.records.collections import RECORD_TYPES
from forebear.records.privacy import OWNER, Viewer
from forebear.search.expansion.catalog import Clause
from forebear.search.expansion.clause_cache import ClauseCache
from forebear.search.expansion.expand import Expansion, build_clauses, expand
from forebear.search.expansion.facts import gather_facts
from forebear.search.expansion.query_facts import Facts
from forebear.search.query.person_query import query_from_json
from forebear.storage.memory import MemoryStorage

Ask = Callable[..., Facts]

HUSBAND = {"kind": "spouse", "given": "Thomas", "surname": "Green"}
MARY = {"given": "Mary", "surname": "Brown", "sex": "f"}
# Each differs from the first in one fact that builders of other facts read too.
QUERIES: tuple[dict[str, Any], ...] = (
    {**MARY, "events": [{"kind": "birth", "date": "1851", "place": "Layham"}]},
    {**MARY, "events": [{"kind": "birth", "date": "abt 1851", "place": "Layham"}]},
    {**MARY, "sex": "m", "events": [{"kind": "birth", "date": "1851", "place": "Layham"}]},
    {**MARY, "events": [{"kind": "birth", "date": "1851", "place": "Cork, Ireland"}]},
    {**MARY, "surname": "Brown Hall", "events": [{"kind": "death", "date": "1851"}]},
    {**MARY, "given": "M?ry", "events": [{"kind": "birth", "date": "1851"}]},
    {**MARY, "relatives": [HUSBAND], "events": [{"kind": "birth", "date": "1851"}]},
    {**MARY, "relatives": [{**HUSBAND, "kind": "father"}], "exact": ["surname"]},
    {"given": "Mary", "events": [{"kind": "birth", "date": "1851", "place": "Layham"}]},
    {"given": "Jan", "surname": "Jansz", "relatives": [{"kind": "father", "given": "Jan"}]},
)


def expansions(facts: Facts) -> list[Expansion | None]:
    return [expand(facts, record_type) for record_type in RECORD_TYPES]


def by_name(facts: Facts) -> dict[str, Clause]:
    return {clause.name: clause for clause in build_clauses(facts, "census")}


@pytest.mark.parametrize("order", [1, -1])
def test_a_query_gives_the_same_whatever_was_asked_before(
    archive: MemoryStorage, order: int
) -> None:
    warm = archive.knowledge(OWNER)
    for value in QUERIES[::order] * 2:
        query = query_from_json(value)
        for is_relaxed in (False, True):
            # Another year is another viewer, who sees the same and has an empty cache.
            cold = archive.knowledge(Viewer(year=OWNER.year + 1, is_owner=True))
            cold._clause_cache = ClauseCache()
            expected = expansions(gather_facts(query, cold, is_relaxed=is_relaxed))

            assert expansions(gather_facts(query, warm, is_relaxed=is_relaxed)) == expected


def test_what_a_change_of_the_query_leaves_alone_is_the_same_object(ask: Ask) -> None:
    born = {"events": [{"kind": "birth", "date": "1851"}]}
    before, after = (
        by_name(ask(**MARY, **born)),
        by_name(ask(**{**MARY, **born, "surname": "Hall"})),
    )

    assert after["self.given.variant"] is before["self.given.variant"]
    assert after["birth.year.within2"] is before["birth.year.within2"]
    assert after["self.surname.variant"] != before["self.surname.variant"]


def test_each_viewer_has_a_cache_and_a_change_empties_it(archive: MemoryStorage) -> None:
    public = Viewer(year=2026)
    storage = MemoryStorage()

    assert archive.knowledge(OWNER).clause_cache() is archive.knowledge(OWNER).clause_cache()
    assert archive.knowledge(public).clause_cache() is not archive.knowledge(OWNER).clause_cache()
    before = storage.knowledge(OWNER).clause_cache()
    storage.put_name_variants([])
    assert storage.knowledge(OWNER).clause_cache() is not before


def test_a_builder_that_reads_more_finds_nothing_that_it_built_of_less() -> None:
    cache = ClauseCache()
    first = cache.note("builder", {("names", "surname")})
    group = cache.group((first, cache.value("brown")))
    cache.add(group, "builder", frozenset({"a"}))

    second = cache.note("builder", {("single", "sex")})

    assert cache.facts_read("builder") == second != first
    assert set(cache.slots(second)) == {("names", "surname"), ("single", "sex")}
    assert cache.note("builder", {("single", "sex")}) == second
    assert cache.note("other", {("names", "surname")}) == first
    assert "other" not in cache.group((first, cache.value("brown")))


@pytest.mark.parametrize("limits", [{"max_entries": 10}, {"max_terms": 20}])
def test_what_is_used_stays_and_the_rest_is_dropped(limits: dict[str, int]) -> None:
    cache = ClauseCache(**limits)
    used = cache.group((0, 0))
    cache.add(used, "builder", frozenset({"a", "b"}))
    for value in range(1, 100):
        assert cache.group((0, 0)) is used
        cache.add(cache.group((0, value)), "builder", frozenset({"a", "b"}))

    assert cache.group((0, 0)) == {"builder": frozenset({"a", "b"})}
    assert cache.group((0, 1)) == {}
