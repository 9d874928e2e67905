"""Tests for `forebear_lab.experiments.rescored_lists`."""

from dataclasses import replace
from pathlib import Path
from shutil import copy

import numpy as np
import pytest

import forebear
from forebear.learning.logged_rankings import judge_model, rank_search
from forebear.search.model import Model, default_model, hand_set_model
from forebear_lab.experiments.loop_searches import KnownSearch, log_searches
from forebear_lab.experiments.rescored_lists import RescoredLists
from forebear_lab.experiments.worlds import World


@pytest.fixture(scope="module")
def known_searches(
    world: World, imported: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[KnownSearch]:
    path = tmp_path_factory.mktemp("rescored") / "world.forebear"
    copy(imported, path)
    with forebear.open(path) as archive:
        return log_searches(archive, world, count=100, progress=lambda _: None)


MOVED = replace(
    default_model(),
    name="moved",
    slopes={"census": 96},
    conditions={"birth": {"birth.year": 128}, "census": {"surname": -192}},
)


@pytest.mark.parametrize("model", [default_model(), hand_set_model(), MOVED], ids=lambda m: m.name)
def test_all_searches_at_once_are_measured_as_one_by_one(
    known_searches: list[KnownSearch], model: Model
) -> None:
    lists = RescoredLists(known_searches)

    ranked = lists.rank(model)

    one_by_one = judge_model(model, [one.perfectly_judged for one in known_searches])
    np.testing.assert_allclose(ranked.ndcg, [*one_by_one.ndcg.values()])
    np.testing.assert_allclose(ranked.nce, [*one_by_one.nce.values()])
    np.testing.assert_array_equal(ranked.success_1, [*one_by_one.success(1).values()])
    np.testing.assert_array_equal(ranked.success_10, [*one_by_one.success(10).values()])


def test_the_lists_shown_are_those_of_the_model(known_searches: list[KnownSearch]) -> None:
    shown = RescoredLists(known_searches).shown(MOVED)

    assert shown == [rank_search(MOVED, one.perfectly_judged).records for one in known_searches]


def test_only_chosen_records_may_count_as_right(known_searches: list[KnownSearch]) -> None:
    lists = RescoredLists(known_searches)
    births = np.array([key.startswith("birth:") for key in lists.records])

    scores = np.where(births, 1.0, 0.0)
    of_births = lists.measure(scores, only=births)
    of_others = lists.measure(scores, only=~births)

    assert of_births.success_1.mean() > of_others.success_1.mean() == 0
    assert np.isnan(lists.measure(scores, only=np.zeros_like(births)).ndcg).all()


def test_features_have_clauses_the_list_and_the_score(known_searches: list[KnownSearch]) -> None:
    lists = RescoredLists(known_searches)

    features = lists.features(lists.clauses[:4], default_model()).toarray()

    assert features.shape == (lists.right.size, 4 + 3 + 1)
    assert (features[:, 4:7].sum(axis=1) == 1).all()
    np.testing.assert_allclose(features[:, -1], lists.scores(default_model()) / 64)
