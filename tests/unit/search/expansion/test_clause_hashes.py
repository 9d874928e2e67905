"""Tests for `forebear.search.expansion.clause_hashes`."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from forebear.records.collections import RecordList
from forebear.search.expansion import clause_hashes as hashes
from forebear.search.expansion.catalog import CatalogRow, load_catalog
from forebear.search.expansion.clause_hashes import (
    PREVIOUS_CATALOG,
    UNKNOWN,
    catalog_hash,
    clause_hashes,
    fit_model,
    learned_here,
    released_hashes,
    tables_of,
)
from forebear.search.model import Model, default_model, hand_set_model, model_from_json
from forebear.search.terms.term import TERM_RULES_VERSION
from forebear.tables import read_table, table_text

EXACT = "self.surname.exact"
VARIANT = "self.given.variant"


@pytest.fixture
def computed_again() -> Iterator[None]:
    """Let what a test changes be read, and forget it afterwards."""
    for function in (clause_hashes, hashes._table_hash):
        function.cache_clear()
    yield
    for function in (clause_hashes, hashes._table_hash):
        function.cache_clear()


def changed(clause: str, **cells: object) -> dict[str, tuple[CatalogRow, ...]]:
    return {
        record_type: tuple(row._replace(**cells) if row.clause == clause else row for row in rows)
        for record_type, rows in load_catalog().items()
    }


def differing(before: hashes.ClauseHashes, after: hashes.ClauseHashes) -> set[str]:
    return {
        clause
        for record_type, of_type in before.items()
        for clause, hash_ in of_type.items()
        if after[record_type][clause] != hash_
    }


def test_every_clause_of_every_type_has_a_hash() -> None:
    assert {name: set(of_type) for name, of_type in clause_hashes().items()} == {
        name: {row.clause for row in rows} for name, rows in load_catalog().items()
    }


@pytest.mark.usefixtures("computed_again")
@pytest.mark.parametrize(
    ("cells", "differs"),
    [
        ({"words": "the surname is the same"}, False),
        ({"rule": "12"}, True),
        ({"polarity": -1}, True),
        ({"fields": ("self.given",)}, True),
        ({"needs": (("married",),)}, True),
    ],
)
def test_a_hash_is_of_what_a_clause_fires_on_and_not_of_its_words(
    monkeypatch: pytest.MonkeyPatch, cells: dict[str, object], differs: bool
) -> None:
    before = clause_hashes()
    catalog = changed(EXACT, **cells)
    clause_hashes.cache_clear()
    monkeypatch.setattr(hashes, "load_catalog", lambda: catalog)

    assert differing(before, clause_hashes()) == ({EXACT} if differs else set())


@pytest.mark.usefixtures("computed_again")
def test_a_row_of_a_table_changes_the_clauses_that_are_built_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = clause_hashes()
    nicknames = next(name for name in tables_of(row_of(VARIANT)) if "nicknames" in name)

    def with_one_more(name: str) -> str:
        return table_text(name) + ("x,y,\n" if name == nicknames else "")

    for function in (clause_hashes, hashes._table_hash):
        function.cache_clear()
    monkeypatch.setattr(hashes, "table_text", with_one_more)

    changed = differing(before, clause_hashes())
    assert VARIANT in changed
    assert EXACT not in changed


@pytest.mark.usefixtures("computed_again")
def test_new_term_rules_change_only_the_clauses_of_their_fields(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    latest = TERM_RULES_VERSION
    before = clause_hashes(latest)

    def renewed(name: str) -> list[dict[str, str]]:
        rows = [dict(row) for row in read_table(name)]
        for row in rows:
            if row.get("field") == "self.surname.dm":
                row["versions"] += f" {latest + 1}"
        return rows

    clause_hashes.cache_clear()
    monkeypatch.setattr(hashes, "read_table", renewed)

    # An archive written by the older rules is as it was.
    assert differing(before, clause_hashes(latest)) == set()
    assert differing(before, clause_hashes(latest + 1)) == {
        row.clause
        for rows in load_catalog().values()
        for row in rows
        if "self.surname.dm" in row.fields
    }


def test_every_table_that_clauses_are_built_with_is_there() -> None:
    names = {name for rows in load_catalog().values() for row in rows for name in tables_of(row)}

    assert len(names) > 10
    assert all(table_text(name) for name in names)


def test_the_hashes_of_the_previous_release_are_known_by_the_name_of_its_catalog() -> None:
    released = released_hashes(PREVIOUS_CATALOG)

    assert sum(map(len, released.values())) == 2396
    assert released_hashes("another") == {}


def test_a_catalog_has_a_short_name_that_does_not_depend_on_order() -> None:
    ours = clause_hashes()
    reversed_ = {name: dict(reversed(of_type.items())) for name, of_type in ours.items()}

    assert len(catalog_hash(ours)) == 12
    assert catalog_hash(ours) == catalog_hash(reversed_)
    assert catalog_hash(ours) != catalog_hash({**ours, "census": {}})


def row_of(clause: str) -> CatalogRow:
    return next(row for row in load_catalog()["census"] if row.clause == clause)


def learned(**changes: Any) -> Model:
    """Return a model whose every weight is one unit more than the shipped one."""
    shipped = default_model()
    weights = {
        name: {clause: bits + 1 for clause, bits in of_type.items()}
        for name, of_type in shipped.weights.items()
    }
    model = replace(shipped, name="v1", weights=weights)
    return replace(learned_here(model, clause_hashes(), LISTS), **changes)


LISTS = (
    RecordList(name="census", record_type="census", collections=("c1851", "c1861")),
    RecordList(name="london", record_type="census", collections=("c1871",)),
)


def test_a_model_of_these_clauses_is_used_as_it_is() -> None:
    fit = fit_model(learned(), clause_hashes(), LISTS)

    assert fit.model == learned()
    assert fit.notice == ""
    assert fit_model(hand_set_model(), clause_hashes(), LISTS).model == hand_set_model()


def test_a_weight_of_another_clause_is_the_shipped_one() -> None:
    ours = clause_hashes()
    other = {**ours, "census": {**ours["census"], EXACT: UNKNOWN}}

    fit = fit_model(learned(clauses=other), ours, LISTS)

    shipped = default_model()
    assert fit.model.weight("census", EXACT) == shipped.weight("census", EXACT)
    assert fit.model.weight("burial", EXACT) == shipped.weight("burial", EXACT) + 1
    assert fit.model.weight("census", VARIANT) == shipped.weight("census", VARIANT) + 1
    weights = sum(map(len, ours.values()))
    assert (fit.replaced, fit.weights) == (1, weights)
    assert f"1 of {weights:,} weights are the shipped ones" in fit.notice


def test_a_model_of_the_previous_release_is_known_by_its_catalog() -> None:
    released = released_hashes(PREVIOUS_CATALOG)
    same = learned(catalog=PREVIOUS_CATALOG, clauses={})
    unknown = learned(catalog="another", clauses={})

    assert fit_model(same, released, LISTS).model == same
    assert fit_model(unknown, released, LISTS).replaced == 2396


def test_what_moves_a_list_counts_while_its_collections_are_in_it() -> None:
    shifts = {"census": 64, "london": 128}
    moved = (*LISTS[:1], replace(LISTS[1], name="kent"))
    grown = (LISTS[0], replace(LISTS[1], collections=("c1871", "c1881")))

    model = learned(shifts=shifts)

    assert fit_model(model, clause_hashes(), LISTS).model.shifts == shifts
    assert fit_model(model, clause_hashes(), grown).model.shifts == shifts
    assert fit_model(model, clause_hashes(), moved).model.shifts == {"census": 64}


def test_a_model_keeps_its_clauses_and_lists_as_json() -> None:
    assert model_from_json(learned().to_json()) == learned()
