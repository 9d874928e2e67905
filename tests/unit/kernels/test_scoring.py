"""Tests for `forebear.kernels.scoring`: what the readable functions return, to the last bit."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from forebear.kernels import scoring
from forebear.search.expansion.catalog import Clause
from forebear.search.record_search import compiled_score, score
from forebear.search.record_search.score import ScoredClauses, compile_clauses
from forebear.storage.columns import run_sums

NUMBERS = {f"t{number}": number for number in (1, 2, 3, 64, 1 << 20, (1 << 31) - 1)}
terms = st.sampled_from([*NUMBERS, "absent"])
conditions = st.frozensets(terms, min_size=1, max_size=4)
people = st.lists(st.frozensets(st.sampled_from([*NUMBERS.values()])), max_size=8)


@st.composite
def clauses(draw: st.DrawFn) -> Clause:
    any_of = tuple(draw(st.lists(conditions, min_size=1, max_size=3)))
    return Clause(
        name="x",
        kind="count",
        any_of=any_of,
        least=draw(st.integers(1, len(any_of))),
        none_of=draw(st.frozensets(terms, max_size=3)),
    )


def runs(personas: list[frozenset[int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    counts = np.array([len(persona) for persona in personas], np.int64)
    flat = [number for persona in personas for number in sorted(persona)]
    return np.array(flat, np.int32), np.cumsum(counts) - counts, counts


@given(
    st.lists(st.tuples(clauses(), st.integers(-900, 900), st.booleans()), min_size=1, max_size=80),
    people,
    st.randoms(use_true_random=False),
)
def test_compiled_loops_match_and_score_as_numpy_does(
    weighted: list[tuple[Clause, int, bool]],
    personas: list[frozenset[int]],
    random: "np.random.Generator",
) -> None:
    compiled = compile_clauses([clause for clause, *_ in weighted], NUMBERS)
    arrays = runs(personas)
    order = list(range(len(weighted)))
    random.shuffle(order)
    scored = ScoredClauses(
        clauses=np.array(order, np.int64),
        weights=np.array([weighted[place][1] for place in order], np.int64),
        excluding=np.array([weighted[place][2] for place in order], np.bool_),
    )
    rows = np.arange(len(personas))[::2]

    expected = score.match(compiled, *arrays)
    matches = compiled_score.match(compiled, *arrays)

    assert matches.bits(rows, scored).tolist() == expected.bits(rows, scored).tolist()
    for one, other in zip(matches.scores(rows, scored), expected.scores(rows, scored), strict=True):
        assert one.tolist() == other.tolist()


@given(people)
def test_sums_of_runs_are_those_of_numpy(personas: list[frozenset[int]]) -> None:
    arrays = runs(personas)

    assert scoring.run_sums(*arrays).tolist() == run_sums(*arrays).tolist()


def test_terms_that_collide_in_the_hash_table_stay_apart() -> None:
    """A thousand terms of alternate conditions, so that many share a slot."""
    names = {f"t{number}": number for number in range(1, 1001)}
    any_of = [frozenset(list(names)[start::2]) for start in (0, 1)]
    two = [Clause(name="x", kind="term", any_of=(condition,)) for condition in any_of]
    compiled = compile_clauses(two, names)
    scored = ScoredClauses(
        clauses=np.arange(2), weights=np.array([1, 10]), excluding=np.zeros(2, np.bool_)
    )

    matches = compiled_score.match(
        compiled, *runs([frozenset([number]) for number in range(1, 2001)])
    )
    totals, _ = matches.scores(np.arange(2000), scored)

    assert totals.tolist() == [*[1, 10] * 500, *[0] * 1000]
