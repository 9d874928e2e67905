"""Tests for `forebear.search.record_search.score`: fast, and the same as the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.search.expansion.catalog import Clause
from forebear.search.record_search.score import clause_bits, compile_clauses, scores

TERMS = "abcdefgh"
conditions = st.frozensets(st.sampled_from(TERMS + "xyz"), min_size=1, max_size=4)
people = st.lists(st.frozensets(st.sampled_from(TERMS)), min_size=1, max_size=6)


@st.composite
def clauses(draw: st.DrawFn) -> Clause:
    wanted = tuple(draw(st.lists(conditions, min_size=1, max_size=3)))
    return Clause(
        name="x",
        kind="count",
        any_of=wanted,
        least=draw(st.integers(1, len(wanted))),
        none_of=draw(st.frozensets(st.sampled_from(TERMS + "xyz"), max_size=3)),
    )


def bits_of(clauses_of_query: list[Clause], personas: list[frozenset[str]]) -> np.ndarray:
    """Return the bits by way of term numbers; x, y and z are terms that the archive lacks."""
    numbers = {term: 7 * place for place, term in enumerate(TERMS, start=1)}
    rows = [sorted(numbers[term] for term in persona) for persona in personas]
    bounds = np.cumsum([0, *(len(row) for row in rows)])
    held = np.array([number for row in rows for number in row], np.int64)
    return clause_bits(compile_clauses(clauses_of_query, numbers), held, bounds)


@given(st.lists(st.tuples(clauses(), st.integers(-1024, 1024)), max_size=8), people)
def test_bits_and_scores_are_those_of_the_clauses_themselves(
    weighed: list[tuple[Clause, int]], personas: list[frozenset[str]]
) -> None:
    bits = bits_of([clause for clause, _ in weighed], personas)

    assert bits.tolist() == [[c.fires_on(persona) for c, _ in weighed] for persona in personas]
    assert scores(bits, [weight for _, weight in weighed]).tolist() == [
        sum(weight for clause, weight in weighed if clause.fires_on(persona))
        for persona in personas
    ]


def test_equal_conditions_share_a_column() -> None:
    pair = [
        Clause(name=name, kind="term", any_of=(frozenset("ab"),), none_of=frozenset("c"))
        for name in ("one", "two")
    ]

    assert len(compile_clauses(pair, {}).columns) == 2


@pytest.mark.parametrize("count", [0, 1, 3])
def test_people_without_terms_fire_nothing(count: int) -> None:
    clause = Clause(name="x", kind="term", any_of=(frozenset("a"),))

    bits = bits_of([clause], [frozenset()] * count)

    assert bits.shape == (count, 1)
    assert not bits.any()
