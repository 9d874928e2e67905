"""Tests for `forebear_lab.experiments.engine_data`."""

from pathlib import Path

import numpy as np
import pytest

import forebear
from forebear.errors import InputError
from forebear.learning.logged_rankings import judge_model
from forebear.search.expansion.catalog import load_catalog
from forebear_lab.baselines.fuser import MeasuredLists
from forebear_lab.experiments.divisions import divide
from forebear_lab.experiments.engine_data import (
    EngineSearches,
    fusion_data,
    read_log,
    records_data,
)


def log_of(path: Path, division: str = "") -> EngineSearches:
    return read_log(
        path,
        lists=lambda archive: divide(archive, division),
        model=None,
        seed=1,
        progress=lambda _: None,
    )


@pytest.fixture(scope="module")
def searches(searched: Path) -> EngineSearches:
    return log_of(searched)


def test_the_log_of_a_simulated_archive_is_labeled_simulated(searches: EngineSearches) -> None:
    assert searches.simulated
    assert searches.label.startswith("simulated: log of log.forebear: 24 searches")


def test_fusion_data_are_the_ranked_lists_with_their_scores(searches: EngineSearches) -> None:
    dataset = fusion_data(searches).dataset

    assert dataset.list_names == ("birth", "census", "residence")
    assert len(dataset.query_ids) == 24
    shown = next(one for one in searches.judged[3].search.lists if one.name == "census")
    first, last = dataset.offsets[3 * 3 + 1 : 3 * 3 + 3]
    np.testing.assert_allclose(
        dataset.scores[first:last], np.sort(np.array(shown.scores) / 64)[::-1]
    )
    assert dataset.labels[first:last].sum() == 2


def test_a_right_record_that_no_list_has_stays_in_the_ideal(world, imported: Path) -> None:
    from forebear_lab.experiments.worlds import search_world

    with forebear.open(imported) as archive:
        judged = search_world(
            archive, world, lists=None, searches=30, model=None, progress=lambda _: None
        )
        model = archive.model()
    data = fusion_data(
        EngineSearches(judged=tuple(judged[:24]), model=model, label="simulated", simulated=True)
    )

    lost = [number for number in range(24) if number % 3 == 0]
    assert sorted(data.dataset.unfound) == lost
    perfect = MeasuredLists(data.dataset).ndcg(data.dataset.labels.astype(np.float64))
    assert (perfect[lost] < 1).all()
    assert np.allclose(np.delete(perfect, lost), 1)


def test_the_engines_row_is_what_its_model_does(searches: EngineSearches) -> None:
    data = fusion_data(searches)
    assert data.engine_scores is not None

    mine = MeasuredLists(data.dataset).ndcg(data.engine_scores)

    theirs = judge_model(searches.model, searches.judged).ndcg
    assert mine.mean() == pytest.approx(np.mean([*theirs.values()]), abs=0.01)
    assert not np.array_equal(data.engine_scores, data.dataset.scores)


def test_searches_that_share_a_record_are_one_group(searches: EngineSearches) -> None:
    assert len(set(searches.groups)) == 24  # nobody shares a record here


def test_record_specific_data_are_clause_bits(searches: EngineSearches) -> None:
    data = records_data(searches, "census", seed=1)

    clauses = tuple(row.clause for row in load_catalog()["census"])
    assert data.train.feature_names == data.test.feature_names == clauses
    assert data.train.binary
    assert (len(data.train.query_ids), len(data.test.query_ids)) == (16, 8)
    assert not set(data.train.query_ids) & set(data.test.query_ids)
    exact = data.train.features[:, clauses.index("self.surname.exact")]
    assert exact[data.train.labels > 0].all()


def test_a_type_without_attachments_is_refused_with_those_that_have(
    searches: EngineSearches,
) -> None:
    with pytest.raises(InputError, match=r"'marriage'[\s\S]*census 24"):
        records_data(searches, "marriage", seed=1)


def test_too_few_searches_are_refused(searches: EngineSearches) -> None:
    with pytest.raises(InputError, match="2 searches"):
        EngineSearches(judged=searches.judged[:2], model=searches.model, label="", simulated=False)


def test_a_log_is_repeated_with_other_lists_and_stays_as_it_is(
    world_folder: Path, tmp_path: Path
) -> None:
    from forebear_lab.experiments.worlds import World, import_world

    world = World(folder=world_folder, splits={"census": "year"})
    with import_world(world, tmp_path, progress=lambda _: None) as archive:
        path = archive.path
        for query in world.queries(8):
            archive.search(query, search_id=query.id)
            archive.attach(query.id, f"birth:B{query.id[1:]}")

    by_type, by_collection = log_of(path, "type"), log_of(path, "collection")

    assert fusion_data(by_type).dataset.list_names == ("birth", "census", "residence")
    split = fusion_data(by_collection)
    assert split.dataset.list_names == ("birth", "census-1841", "census-1851", "residence")
    assert split.record_types == ("birth", "census", "census", "residence")
    assert "8 repeated" in by_collection.label
    with forebear.open(path) as archive:
        assert [list_.name for list_ in archive.lists()] == ["birth", "census", "residence"]
        assert len(archive.judged_searches()[0].search.lists) == 3
