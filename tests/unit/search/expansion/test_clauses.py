"""Tests for `forebear.search.expansion.clauses`: the six kinds, each by its definition."""

from itertools import combinations

import pytest

from forebear.errors import QueryError
from forebear.search.expansion.catalog import CatalogRow
from forebear.search.expansion.clauses import (
    Clause,
    absent_clause,
    all_clause,
    conflict_clause,
    count_clause,
    term_clause,
)

ROW = CatalogRow(
    record_type="census",
    clause="x",
    polarity=1,
    kind="term",
    fields=("self.sex",),
    needs=(),
    rule="7",
    basis="",
)
GAP = ROW._replace(kind="absent", fields=("father.given", "father.surname", "record.part"))
A, B, C = (frozenset({letter}) for letter in "abc")


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


def test_a_conflict_of_the_principal_says_nothing_of_others() -> None:
    clause = conflict_clause(ROW, ["self.sex=f"], of_principal=True)

    assert clause is not None
    other = frozenset({"has=self.sex", "self.sex=m"})
    assert not clause.fires_on(other)
    assert clause.fires_on(other | {"record.role=principal"})
    assert not clause.fires_on(frozenset({"record.role=principal"}))


def test_a_clause_carries_the_rule_of_its_row() -> None:
    made = [term_clause(ROW, A), all_clause(ROW, [A, B]), conflict_clause(ROW, A)]

    assert [clause.rule for clause in made if clause] == ["7", "7", "7"]


def test_a_clause_with_nothing_to_ask_is_not_made() -> None:
    assert term_clause(ROW, []) is None
    assert all_clause(ROW, [A]) is None
    assert all_clause(ROW, [A, frozenset()]) is None
    assert absent_clause(GAP, frozenset()) is None
    assert conflict_clause(ROW, []) is None


@pytest.mark.parametrize("wanted", [(), (frozenset(),), (A, frozenset())])
def test_a_clause_that_could_never_fire_is_refused(wanted: tuple[frozenset[str], ...]) -> None:
    with pytest.raises(QueryError, match=r"'self\.given\.exact' has no terms to match"):
        Clause(name="self.given.exact", kind="term", wanted=wanted)
