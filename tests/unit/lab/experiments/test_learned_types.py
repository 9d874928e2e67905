"""Tests for `forebear_lab.experiments.learned_types`."""

from pathlib import Path

import numpy as np
import pytest

from forebear.interactions.events import LoggedList
from forebear_lab.baselines.fuser import MeasuredLists, scale_of
from forebear_lab.experiments.data import FusionData
from forebear_lab.experiments.engine_data import EngineSearches, fusion_data, read_log
from forebear_lab.experiments.learned_types import learn_type, learned_fusion_data, score_list


@pytest.fixture(scope="module")
def searches(searched: Path) -> EngineSearches:
    return read_log(searched, lists=lambda _: None, model=None, seed=1, progress=lambda _: None)


@pytest.fixture(scope="module")
def data(searches: EngineSearches) -> FusionData:
    return learned_fusion_data(searches, seed=1, progress=lambda _: None)


def test_half_of_the_searches_is_fused(searches: EngineSearches, data: FusionData) -> None:
    ids = {one.search.id for one in searches.judged}

    assert len(data.dataset.query_ids) == len(data.groups) == 12
    assert set(data.dataset.query_ids) < ids
    assert "learned from 12 of them" in data.label
    assert data.archive == "log of log.forebear, each type ranked by learned weights"
    assert data.simulated


def test_scores_are_positive_and_each_type_has_its_scale(data: FusionData) -> None:
    lists = data.dataset.lists_of_records()
    highest = [data.dataset.scores[lists == place].max() for place in np.unique(lists).tolist()]

    assert scale_of(data.dataset) == "weights"
    assert len({round(score, 6) for score in highest}) == len(highest)


def test_records_keep_their_judgments_and_the_engines_scores(
    searches: EngineSearches, data: FusionData
) -> None:
    by_id = {one.search.id: one for one in searches.judged}
    engine = fusion_data(searches)
    assert engine.engine_scores is not None
    assert data.engine_scores is not None
    place = engine.dataset.query_ids.index(data.dataset.query_ids[0])
    count = len(data.dataset.list_names)
    mine = slice(*data.dataset.offsets[[0, count]].tolist())
    theirs = slice(*engine.dataset.offsets[[place * count, (place + 1) * count]].tolist())

    # The same pairs of label and engine's score, in another order.
    pairs = zip(data.dataset.labels[mine], data.engine_scores[mine], strict=True)
    expected = zip(engine.dataset.labels[theirs], engine.engine_scores[theirs], strict=True)
    assert sorted(pairs) == sorted(expected)
    attached = by_id[data.dataset.query_ids[0]].attached
    listed = {
        key for shown in by_id[data.dataset.query_ids[0]].search.lists for key in shown.records
    }
    assert data.dataset.labels[mine].sum() == len(attached & listed)


def test_the_engines_row_does_not_depend_on_what_is_learned(
    searches: EngineSearches, data: FusionData
) -> None:
    engine = fusion_data(searches)
    assert engine.engine_scores is not None
    assert data.engine_scores is not None
    by_query = dict(
        zip(
            engine.dataset.query_ids,
            MeasuredLists(engine.dataset).ndcg(engine.engine_scores).tolist(),
            strict=True,
        )
    )

    ndcg = MeasuredLists(data.dataset).ndcg(data.engine_scores)

    assert ndcg.tolist() == pytest.approx([by_query[query] for query in data.dataset.query_ids])


def test_evidence_against_a_record_counts_where_it_is_absent() -> None:
    shown = LoggedList(
        name="census",
        record_type="census",
        state="",
        clauses=("for", "against"),
        records=("a", "b", "c", "d"),
        scores=(0, 0, 0, 0),
        bits=np.array([[1, 0], [0, 0], [1, 1], [0, 1]], np.bool_),
    )

    scores = score_list(shown, {"for": 2.0, "against": -3.0, "unused": 9.0})

    assert scores.tolist() == pytest.approx([5, 3, 2, 1e-6])


def test_weights_of_a_type_rank_its_lists_better_than_equal_ones(
    searches: EngineSearches,
) -> None:
    learned, description = learn_type("census", searches.judged, seed=1)

    assert "of 24 lists" in description
    assert any(weight < 0 for weight in learned.values())
    shown = next(one for one in searches.judged[3].search.lists if one.name == "census")
    best = np.array(shown.records)[np.argmax(score_list(shown, learned))]
    assert best in searches.judged[3].attached


def test_a_type_with_few_relevant_records_weighs_all_clauses_alike(
    searches: EngineSearches,
) -> None:
    weights, description = learn_type("birth", searches.judged[:3], seed=1)

    assert "too few" in description
    assert len({abs(weight) for weight in weights.values()}) == 1
