"""Tests for `forebear.search.expansion.clauses`: the six kinds, each by its definition."""

from itertools import combinations

import pytest

from forebear.errors import QueryError
from forebear.search.expansion.clauses import (
    Clause,
    absent_clause,
    all_clause,
    conflict_clause,
    count_clause,
    term_clause,
)

A, B, C = (frozenset({letter}) for letter in "abc")


def every_set(*letters: str) -> list[frozenset[str]]:
    return [
        frozenset(chosen)
        for size in range(len(letters) + 1)
        for chosen in combinations(letters, size)
    ]


def test_a_term_clause_fires_on_any_of_its_terms() -> None:
    clause = term_clause("x", ["a", "b"])

    assert clause is not None
    assert clause.kind == "term"
    for persona in every_set("a", "b", "c"):
        assert clause.fires_on(persona) == bool(persona & {"a", "b"})


def test_an_all_clause_fires_when_every_condition_holds() -> None:
    clause = all_clause("x", [frozenset({"a", "b"}), C])

    assert clause is not None
    assert clause.kind == "all"
    for persona in every_set("a", "b", "c"):
        assert clause.fires_on(persona) == (bool(persona & {"a", "b"}) and "c" in persona)


@pytest.mark.parametrize("least", [1, 2, 3])
def test_a_count_clause_fires_when_enough_conditions_hold(least: int) -> None:
    clause = count_clause("x", [A, B, C], least)

    assert clause is not None
    assert clause.kind == "count"
    for persona in every_set("a", "b", "c"):
        assert clause.fires_on(persona) == (len(persona) >= least)


def test_equal_conditions_count_once() -> None:
    assert count_clause("x", [A, A, frozenset()], 2) is None


def test_an_absent_clause_fires_where_the_part_has_the_fact_and_the_persona_has_not() -> None:
    clause = absent_clause("x", ["father.given", "father.surname"], ["p", "q"])

    assert clause is not None
    assert clause.kind == "absent"
    assert clause.fires_on(frozenset({"record.part=p"}))
    assert not clause.fires_on(frozenset({"record.part=p", "has=father.given"}))
    assert not clause.fires_on(frozenset({"record.part=q", "has=father.surname"}))
    assert not clause.fires_on(frozenset({"record.part=r"}))


def test_a_conflict_fires_where_the_field_is_there_and_nothing_tolerable() -> None:
    clause = conflict_clause("x", "self.sex", ["self.sex=f"])

    assert clause is not None
    assert clause.kind == "conflict"
    assert clause.fires_on(frozenset({"has=self.sex", "self.sex=m"}))
    assert not clause.fires_on(frozenset({"has=self.sex", "self.sex=f"}))
    assert not clause.fires_on(frozenset())


def test_a_clause_with_nothing_to_ask_is_not_made() -> None:
    assert term_clause("x", []) is None
    assert all_clause("x", [A]) is None
    assert all_clause("x", [A, frozenset()]) is None
    assert absent_clause("x", ["self.given"], []) is None
    assert conflict_clause("x", "self.sex", []) is None


@pytest.mark.parametrize("wanted", [(), (frozenset(),), (A, frozenset())])
def test_a_clause_that_could_never_fire_is_refused(wanted: tuple[frozenset[str], ...]) -> None:
    with pytest.raises(QueryError, match=r"'self\.given\.exact' has no terms to match"):
        Clause(name="self.given.exact", kind="term", wanted=wanted)
