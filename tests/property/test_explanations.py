"""Explanations add up, for every hit of random searches under random models."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import forebear
from explaining import explain_hit
from forebear.errors import QueryError
from forebear.interactions.events import logged_search
from forebear.learning.calibrate import rescore
from forebear.records.collections import RecordList
from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.search.expansion.catalog import load_catalog
from forebear.search.fusion import BY_SCORE, Ordering
from forebear.search.hits import tie_key
from forebear.search.model import MAX_BITS, UNITS_PER_BIT, Model, model_from_json
from forebear.search.query.person_query import query_from_json
from forebear.search.search_result import SearchOptions, SearchResult
from forebear.search.searcher import Searcher
from forebear.storage.memory import MemoryStorage
from strategies import COLLECTIONS, collections, groups, query_values

OWNER = Viewer(year=2026, is_owner=True)
FACTS = ("given", "surname", "sex", "birth.year", "birth.place", "spouse", "father")
LISTS = [
    RecordList(
        name=record_type,
        record_type=record_type,
        collections=tuple(name for name, kind in COLLECTIONS.items() if kind == record_type),
    )
    for record_type in load_catalog()
]


def model_of(seed: int) -> Model:
    """Return a model of any weights on the grid, each of the sign that the catalog gives it."""
    random = Random(seed)
    limit = MAX_BITS * UNITS_PER_BIT
    return Model(
        name="random",
        weights={
            record_type: {row.clause: row.polarity * random.randint(0, limit) for row in rows}
            for record_type, rows in load_catalog().items()
        },
        shifts={record_type: random.randint(-limit, limit) for record_type in load_catalog()},
        slopes={
            record_type: random.randint(1, 4 * UNITS_PER_BIT) for record_type in load_catalog()
        },
        conditions={
            record_type: {fact: random.randint(-limit, limit) for fact in FACTS}
            for record_type in load_catalog()
        },
    )


models = st.integers(0, 1_000_000).map(model_of)
arrangements = st.builds(
    Ordering, order=st.sampled_from(["score", "types"]), decay=st.integers(0, 3 * UNITS_PER_BIT)
)


def searched(
    written: list[tuple[Record, ...]], query: Any, model: Model, arrangement: Ordering
) -> tuple[SearchResult, MemoryStorage]:
    storage = MemoryStorage()
    for collection in collections():
        storage.put_collection(collection)
    storage.write(written)
    searcher = Searcher(storage=storage, lists=LISTS, model=model)
    try:
        result = searcher.search(
            query_from_json(query),
            SearchOptions(
                top=4,
                show_impossible=True,
                order=arrangement.order,
                decay=arrangement.decay / UNITS_PER_BIT,
            ),
            viewer=OWNER,
        )
    except QueryError:
        assume(False)
        raise
    return result, storage


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(groups(), min_size=1, max_size=6), query_values, models, arrangements)
def test_every_hit_is_explained_to_the_last_bit(
    written: list[tuple[Record, ...]],
    query: dict[str, Any],
    model: Model,
    arrangement: Ordering,
) -> None:
    result, storage = searched(written, query, model, arrangement)

    chances = result.probabilities.of(result.fused)
    assert chances == sorted(chances, reverse=True)
    for hit in result.fused:
        explanation = explain_hit(result, hit, storage)
        assert explanation.adds_up
        assert explanation.score == hit.fused_score == hit.evidence - hit.decay
        fired = [clause.clause for clause in explanation.clauses]
        assert sorted(fired) == sorted(hit.fired)
        facts = [row.fact for row in explanation.rows]
        assert len(facts) == len(set(facts))
        assert all(row.verdict for row in explanation.rows)
        chance = result.probabilities[hit.record_key]
        assert 0 <= chance <= 1
        assert explanation.probability == pytest.approx(chance, abs=1e-9)
        place = result.probabilities.places[hit.tie]
        log_odds = float(result.probabilities.pooled[place])
        assert explanation.log_odds == pytest.approx(log_odds, abs=1e-9)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(groups(), min_size=1, max_size=6), query_values, models)
def test_lists_are_in_order_hold_a_record_once_and_are_logged_as_they_were(
    written: list[tuple[Record, ...]], query: dict[str, Any], model: Model
) -> None:
    result, _ = searched(written, query, model, BY_SCORE)

    fused = [(-hit.fused_score, tie_key(hit.record_key)) for hit in result.fused]
    assert fused == sorted(fused)
    logged = logged_search(result, search_id="s", at="", query="", viewer="owner")
    again = model_from_json(model.to_json())
    for ranked, shown in zip(result.lists, logged.lists, strict=True):
        keys = [hit.record_key for hit in ranked.hits]
        assert len(set(keys)) == len(keys) == min(4, ranked.records)
        assert rescore(shown, again).tolist() == [hit.score for hit in ranked.hits]


@pytest.fixture(scope="module")
def demo_archive(demo_file: Path) -> Iterator[forebear.Archive]:
    with forebear.open(demo_file) as archive:
        yield archive


@pytest.fixture(scope="module")
def demo_queries(repository: Path) -> list[dict[str, Any]]:
    lines = (repository / "demo" / "queries_training.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.integers(0, 1_000), st.sets(st.sampled_from(["sex", "events", "relatives", "given"])))
def test_the_rows_of_random_searches_of_the_demo_add_up(
    demo_archive: forebear.Archive,
    demo_queries: list[dict[str, Any]],
    number: int,
    dropped: set[str],
) -> None:
    query = demo_queries[number % len(demo_queries)]
    query = {key: value for key, value in query.items() if key not in dropped}

    for hit in demo_archive.search(query, log=False)[:20]:
        explanation = hit.explain()
        assert explanation.adds_up
        assert explanation.log_odds == sum(row.bits for row in reversed(explanation.rows))
        assert explanation.probability == pytest.approx(hit.probability, abs=1e-9)
