"""Tests for `forebear.storage.opensearch.queries`."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import QueryError
from forebear.search.expansion.catalog import Clause, Condition
from forebear.search.model import UNITS_PER_BIT
from forebear.storage.opensearch.queries import (
    LARGEST_SUM,
    Branches,
    all_of,
    any_branch,
    best_score,
    fires,
    has_any,
    holding,
    score_from,
)

TERMS = [f"self.given={letter}" for letter in "abcdef"]
conditions = st.frozensets(st.sampled_from(TERMS), min_size=1, max_size=3)
personas = st.frozensets(st.sampled_from(TERMS))
weights = st.integers(-16 * UNITS_PER_BIT, 16 * UNITS_PER_BIT)


@st.composite
def clauses(draw: st.DrawFn) -> Clause:
    wanted = tuple(draw(st.lists(conditions, min_size=1, max_size=4)))
    return Clause(
        name="c",
        kind="count",
        any_of=wanted,
        least=draw(st.integers(1, len(wanted))),
        none_of=draw(st.frozensets(st.sampled_from(TERMS), max_size=2)),
    )


def passes(query: dict, persona: frozenset[str]) -> bool:
    """Say what the cluster would: whether a persona passes a query."""
    (kind, body), *_ = query.items()
    if kind in ("match_all", "match_none"):
        return kind == "match_all"
    if kind == "terms":
        return not persona.isdisjoint(body["p.t"])
    should = [passes(part, persona) for part in body.get("should", ())]
    return (
        all(passes(part, persona) for part in body.get("filter", ()))
        and not any(passes(part, persona) for part in body.get("must_not", ()))
        and sum(should) >= body.get("minimum_should_match", 0)
    )


def told_by_the_cluster(query: dict, persona: frozenset[str]) -> float:
    """Return the score that the cluster tells: a sum, as a 32-bit float, written short."""
    functions = query["nested"]["query"]["function_score"]["functions"]
    total = sum(
        function["weight"]
        for function in functions
        if "filter" not in function or passes(function["filter"], persona)
    )
    single = struct.unpack("f", struct.pack("f", total))[0]
    return next(
        short
        for digits in range(1, 20)
        if struct.pack("f", short := float(f"{single:.{digits}g}")) == struct.pack("f", single)
    )


@given(clauses(), personas)
def test_a_query_passes_those_on_whom_its_clause_fires(
    clause: Clause, persona: frozenset[str]
) -> None:
    assert passes(fires(clause), persona) == clause.fires_on(persona)


@given(st.lists(st.tuples(clauses(), weights), max_size=8), personas)
def test_the_score_survives_the_journey_to_the_last_bit(
    weighed: list[tuple[Clause, int]], persona: frozenset[str]
) -> None:
    asked_clauses = [clause for clause, _ in weighed]
    bits = [weight for _, weight in weighed]

    score = told_by_the_cluster(best_score(all_of([]), asked_clauses, bits), persona)

    expected = sum(bit for clause, bit in weighed if clause.fires_on(persona))
    assert score_from(score, bits) == expected


def holds(branches: Branches, persona: frozenset[str]) -> bool:
    return any(
        not any(condition.isdisjoint(persona) for condition in branch) for branch in branches
    )


branches = st.lists(st.lists(conditions, max_size=3).map(tuple), max_size=5).map(tuple)


@given(branches, personas)
def test_shared_conditions_taken_out_of_branches_leave_the_same_personas(
    branches: Branches, persona: frozenset[str]
) -> None:
    assert passes(any_branch(branches), persona) == holds(branches, persona)


@given(st.lists(conditions, min_size=1, max_size=3), conditions, personas)
def test_formulas_are_joined_as_their_sets_of_personas_are(
    together: list[Condition], other: Condition, persona: frozenset[str]
) -> None:
    def count(_: dict) -> int:
        return 7

    one, two = holding(together, count), holding([other], count)
    in_one, in_two = holds(one.branches, persona), holds(two.branches, persona)

    assert passes((one | two).query, persona) == (in_one or in_two)
    assert passes((one & two).query, persona) == (in_one and in_two)
    assert len(one | two) == 7


def test_weights_too_large_to_add_up_exactly_are_refused() -> None:
    clause = Clause(name="c", kind="term", any_of=(frozenset(TERMS),))

    with pytest.raises(QueryError, match="too large"):
        best_score(has_any(frozenset(TERMS)), [clause], [LARGEST_SUM])
