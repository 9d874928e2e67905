"""Tests for `forebear.search.expansion.catalog`: its tables, and the six kinds of clauses."""

from itertools import combinations

import pytest

from forebear.errors import QueryError
from forebear.records.collections import RECORD_TYPES
from forebear.search.expansion.catalog import (
    PRINCIPAL,
    CatalogRow,
    Clause,
    absent_clause,
    all_clause,
    clause_words,
    conflict_clause,
    count_clause,
    load_catalog,
    term_clause,
    types_of,
)
from forebear.tables import read_table

ROW = CatalogRow(
    record_type="census",
    clause="x",
    polarity=1,
    kind="term",
    fields=("self.sex",),
    needs=(),
    rule="7",
    words="",
)
GAP = ROW._replace(kind="absent", fields=("father.given", "father.surname", "record.part"))
A, B, C = (frozenset({letter}) for letter in "abc")


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


def test_a_clause_is_stated_once_and_its_types_are_known() -> None:
    stated = read_table("search/clauses")

    assert len({row["clause"] for row in stated}) == len(stated)
    assert {name for row in stated for name in types_of(row["types"])} == set(RECORD_TYPES)
    assert types_of("* -census -birth") == tuple(
        name for name in RECORD_TYPES if name not in ("census", "birth")
    )


def test_what_differs_by_type_is_said_once_of_types_that_have_the_clause() -> None:
    types = {row["clause"]: types_of(row["types"]) for row in read_table("search/clauses")}
    differing = [
        (row["clause"], name)
        for row in read_table("search/clauses_by_type")
        for name in row["types"].split()
    ]

    assert len(set(differing)) == len(differing)
    assert all(name in types[clause] for clause, name in differing)
    rows = {row.clause: row for row in load_catalog()["census"]}
    assert rows["self.surname.exact"].needs == (("surnames",),)


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
    assert clause_words("census", "self.sex.match") == "the sex agrees"


def every_set(*letters: str) -> list[frozenset[str]]:
    return [
        frozenset(chosen)
        for size in range(len(letters) + 1)
        for chosen in combinations(letters, size)
    ]


def test_a_term_clause_fires_on_any_of_its_terms() -> None:
    clause = term_clause(ROW, ["a", "b"])

    assert clause is not None
    assert clause.kind == "term"
    for persona in every_set("a", "b", "c"):
        assert clause.fires_on(persona) == bool(persona & {"a", "b"})


def test_an_all_clause_fires_when_every_condition_holds() -> None:
    clause = all_clause(ROW, [frozenset({"a", "b"}), C])

    assert clause is not None
    assert clause.kind == "all"
    for persona in every_set("a", "b", "c"):
        assert clause.fires_on(persona) == (bool(persona & {"a", "b"}) and "c" in persona)


@pytest.mark.parametrize("least", [1, 2, 3])
def test_a_count_clause_fires_when_enough_conditions_hold(least: int) -> None:
    clause = count_clause(ROW, [A, B, C], least)

    assert clause is not None
    assert clause.kind == "count"
    for persona in every_set("a", "b", "c"):
        assert clause.fires_on(persona) == (len(persona) >= least)


def test_equal_conditions_count_once() -> None:
    assert count_clause(ROW, [A, A, frozenset()], 2) is None


def test_an_absent_clause_fires_where_the_part_has_the_fact_and_the_persona_has_not() -> None:
    clause = absent_clause(GAP, frozenset({"p", "q"}))

    assert clause is not None
    assert clause.kind == "absent"
    assert clause.fires_on(frozenset({"record.part=p"}))
    assert not clause.fires_on(frozenset({"record.part=p", "has=father.given"}))
    assert not clause.fires_on(frozenset({"record.part=q", "has=father.surname"}))
    assert not clause.fires_on(frozenset({"record.part=r"}))


def test_a_conflict_fires_where_the_field_is_there_and_nothing_tolerable() -> None:
    clause = conflict_clause(ROW, ["self.sex=f"])

    assert clause is not None
    assert clause.kind == "conflict"
    assert clause.fires_on(frozenset({"has=self.sex", "self.sex=m"}))
    assert not clause.fires_on(frozenset({"has=self.sex", "self.sex=f"}))
    assert not clause.fires_on(frozenset())


def test_a_term_clause_of_the_principal_says_nothing_of_others() -> None:
    clause = term_clause(ROW._replace(fields=("event.year", "record.role")), ["a"])

    assert clause is not None
    assert not clause.fires_on(frozenset({"a"}))
    assert not clause.fires_on(PRINCIPAL)
    assert clause.fires_on(frozenset({"a"}) | PRINCIPAL)


def test_a_term_clause_does_not_fire_where_another_term_explains_it() -> None:
    clause = term_clause(ROW, ["a"], none_of=B)

    assert clause is not None
    assert clause.fires_on(A)
    assert not clause.fires_on(A | B)


def test_a_conflict_of_the_principal_says_nothing_of_others() -> None:
    clause = conflict_clause(ROW, ["self.sex=f"], role=PRINCIPAL)

    assert clause is not None
    other = frozenset({"has=self.sex", "self.sex=m"})
    assert not clause.fires_on(other)
    assert clause.fires_on(other | {"record.role=principal"})
    assert not clause.fires_on(frozenset({"record.role=principal"}))


def test_a_clause_carries_the_rule_of_its_row() -> None:
    clauses = [term_clause(ROW, A), all_clause(ROW, [A, B]), conflict_clause(ROW, A)]

    assert [clause.rule for clause in clauses if clause] == ["7", "7", "7"]


def test_a_clause_with_nothing_to_ask_is_not_made() -> None:
    assert term_clause(ROW, []) is None
    assert all_clause(ROW, [A]) is None
    assert all_clause(ROW, [A, frozenset()]) is None
    assert absent_clause(GAP, frozenset()) is None
    assert conflict_clause(ROW, []) is None


@pytest.mark.parametrize("wanted", [(), (frozenset(),), (A, frozenset())])
def test_a_clause_that_could_never_fire_is_refused(wanted: tuple[frozenset[str], ...]) -> None:
    with pytest.raises(QueryError, match=r"'self\.given\.exact' has no terms to match"):
        Clause(name="self.given.exact", kind="term", any_of=wanted)
