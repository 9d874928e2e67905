"""Tests for `forebear_lab.experiments.varied_lists`."""

import numpy as np
import pytest

from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.fuser import MeasuredLists
from forebear_lab.experiments.varied_lists import MEASURES, measure_variety, rankings

# A has a relevant record at its second place, B at its first; C has none.
LISTS = {"A": ([9.0, 8.0], [0, 1]), "B": ([7.0, 6.0], [1, 0]), "C": ([5.0], [0])}


@pytest.fixture
def lists() -> MeasuredLists:
    return MeasuredLists(FusionDataset.from_lists(("A", "B", "C"), [("q", LISTS)]))


def test_aspects_are_the_types_that_have_a_relevant_record(lists: MeasuredLists) -> None:
    (ranking,) = rankings(lists, lists.dataset.scores)

    assert ranking.aspects.names() == ("A", "B")
    assert ranking.aspects.ranked == ({}, {"A": 1}, {"B": 1}, {}, {})


def test_the_measures_are_those_of_the_definitions(lists: MeasuredLists) -> None:
    values = measure_variety(lists, lists.dataset.scores)

    assert tuple(values) == MEASURES
    assert values["srecall@20"][0] == 1.0
    # The relevant records are at ranks 2 and 3, each the only one of its type.
    assert values["mrr_ia@100"][0] == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert values["map_ia@100"][0] == pytest.approx((1 / 2 + 1 / 3) / 2)
    gains = 1 / np.log2(3) + 1 / np.log2(4)
    assert values["ndcg_ia@100"][0] == pytest.approx(gains / 2)
    assert values["alpha_ndcg@20"][0] == pytest.approx(gains / (1 + 1 / np.log2(3)))


def test_a_better_order_is_measured_as_better(lists: MeasuredLists) -> None:
    best = measure_variety(lists, lists.dataset.labels.astype(np.float64))

    assert best["alpha_ndcg@20"][0] == pytest.approx(1.0)
    assert best["mrr_ia@100"][0] == pytest.approx(3 / 4)


def test_lists_of_one_type_are_one_aspect() -> None:
    dataset = FusionDataset.from_lists(("A", "B", "C"), [("q", LISTS)])
    lists = MeasuredLists(dataset, types=("census", "census", "birth"))

    (ranking,) = rankings(lists, dataset.scores)

    assert ranking.aspects.names() == ("census",)
    assert lists.type_names.tolist() == ["birth", "census"]
    by_list = MeasuredLists(dataset).nce(dataset.scores)
    assert lists.nce(dataset.scores)[0] != pytest.approx(by_list[0])
