"""Tests for `forebear.search.expansion.catalog`."""

from forebear.records.collections import RECORD_TYPES
from forebear.search.expansion.catalog import basis_of, catalog_hash, load_catalog


def test_every_record_type_has_its_clauses_each_once() -> None:
    catalog = load_catalog()

    assert set(catalog) == set(RECORD_TYPES)
    for record_type, rows in catalog.items():
        names = [row.clause for row in rows]
        assert len(set(names)) == len(names)
        assert {row.record_type for row in rows} == {record_type}


def test_a_clause_has_one_kind_and_polarity_whatever_the_record_type() -> None:
    natures: dict[str, set[tuple[int, str]]] = {}
    for rows in load_catalog().values():
        for row in rows:
            natures.setdefault(row.clause, set()).add((row.polarity, row.kind))

    assert all(len(nature) == 1 for nature in natures.values())


def test_gaps_and_conflicts_speak_against_a_record() -> None:
    for rows in load_catalog().values():
        for row in rows:
            if row.kind in ("absent", "conflict"):
                assert row.polarity == -1, row.clause


def test_needs_are_alternatives_that_must_all_be_answered() -> None:
    rows = {row.clause: row for row in load_catalog()["burial"]}

    assert rows["self.surname.both"].needs == (("surname",), ("married", "alias.surname"))
    assert rows["record.role.principal"].needs == ()
    assert rows["self.surname.exact"].level == "surname.exact"


def test_a_clause_is_put_in_words() -> None:
    assert basis_of("census", "self.sex.match") == "the sex agrees"


def test_the_hash_is_short_and_stays() -> None:
    assert len(catalog_hash()) == 12
    assert catalog_hash() == catalog_hash()
