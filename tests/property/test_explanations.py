"""Explanations add up, for every hit of random searches under random models."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from forebear.errors import QueryError
from forebear.interactions.events import logged_search
from forebear.learning.calibrate import rescore
from forebear.records.collections import RecordList
from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.search.expansion.catalog import load_catalog
from forebear.search.fusion.arrangement import BY_SCORE, Arrangement
from forebear.search.model import MAX_BITS, UNITS_PER_BIT, Model, model_from_json
from forebear.search.query.person_query import query_from_json
from forebear.search.record_search.rank import tie_key
from forebear.search.searcher import Searcher, SearchOptions, SearchResult
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
    Arrangement, order=st.sampled_from(["score", "types"]), decay=st.integers(0, 3 * UNITS_PER_BIT)
)


def searched(
    written: list[tuple[Record, ...]], query: Any, model: Model, arrangement: Arrangement
) -> SearchResult:
    storage = MemoryStorage()
    for collection in collections():
        storage.put_collection(collection)
    storage.write(written)
    searcher = Searcher(storage=storage, lists=LISTS, model=model)
    try:
        return searcher.search(
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


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(groups(), min_size=1, max_size=6), query_values, models, arrangements)
def test_every_hit_is_explained_to_the_last_64th_of_a_bit(
    written: list[tuple[Record, ...]],
    query: dict[str, Any],
    model: Model,
    arrangement: Arrangement,
) -> None:
    result = searched(written, query, model, arrangement)

    for hit in result.fused:
        explanation = result.explain(hit)
        assert explanation.adds_up
        assert explanation.score == hit.score == hit.evidence - hit.decay
        assert explanation.shift == model.shifts[hit.record_type]
        assert {reason.clause for reason in explanation.reasons} == set(hit.hit.fired)
        assert all(reason.words for reason in explanation.reasons)
        chance = result.probabilities[hit.hit.record_key]
        assert 0 <= chance <= 1
        assert explanation.probability == pytest.approx(chance, abs=1e-9)
        assert explanation.odds[0].bits == hit.hit.score / UNITS_PER_BIT
        place = result.probabilities.places[hit.hit.record_key]
        log_odds = float(result.probabilities.pooled[place])
        assert explanation.log_odds == pytest.approx(log_odds, abs=1e-9)
        weights = [abs(reason.weight) for reason in explanation.reasons]
        assert weights == sorted(weights, reverse=True)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(groups(), min_size=1, max_size=6), query_values, models)
def test_lists_are_in_order_hold_a_record_once_and_are_logged_as_they_were(
    written: list[tuple[Record, ...]], query: dict[str, Any], model: Model
) -> None:
    result = searched(written, query, model, BY_SCORE)

    fused = [(-hit.score, tie_key(hit.hit.record_key)) for hit in result.fused]
    assert fused == sorted(fused)
    logged = logged_search(result, search_id="s", at="", query="", viewer="owner")
    again = model_from_json(model.to_json())
    for ranked, shown in zip(result.lists, logged.lists, strict=True):
        keys = [hit.record_key for hit in ranked.hits]
        assert len(set(keys)) == len(keys) == min(4, ranked.records)
        assert rescore(shown, again).tolist() == [hit.score for hit in ranked.hits]
