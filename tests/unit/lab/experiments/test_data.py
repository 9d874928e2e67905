"""Tests for `forebear_lab.experiments.data`."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from forebear.errors import InputError
from forebear_lab.experiments.data import (
    FusionData,
    read_fusion_data,
    read_records_data,
    simulate_fusion,
    simulate_records,
)


@pytest.fixture
def trec_folder(tmp_path: Path) -> Path:
    (tmp_path / "census.run").write_text("q1 Q0 a 1 2.0 x\nq1 Q0 b 2 1.0 x\n")
    (tmp_path / "births.run").write_text("q1 Q0 c 1 5.0 x\n")
    (tmp_path / "qrels.txt").write_text("q1 0 b 1\n")
    return tmp_path


def test_a_folder_of_runs_and_judgments_is_read(trec_folder: Path) -> None:
    data = read_fusion_data([trec_folder], None)

    assert data.dataset.list_names == ("births", "census")
    assert data.dataset.labels.tolist() == [0, 0, 1]
    assert not data.simulated


def test_runs_without_judgments_are_refused(trec_folder: Path) -> None:
    with pytest.raises(InputError, match="no lists to be fused"):
        read_fusion_data([trec_folder / "census.run"], None)


def test_an_npz_holds_training_and_test_queries_and_counts_as_simulated(tmp_path: Path) -> None:
    np.savez(
        tmp_path / "fusion.npz",
        s=np.array([3.0, 2.0, 5.0, 4.0], np.float32),
        y=np.array([0, 1, 1, 0], np.int8),
        ptr=np.array([0, 1, 2, 3, 3, 3, 4]),
        lists=2,
    )

    data = read_fusion_data([tmp_path], None)

    assert data.simulated
    assert data.dataset.query_ids == ("q0", "q1", "q2")
    assert data.dataset.scores.tolist() == [3, 2, 5, 4]


def test_other_lists_have_another_digest(make_lists) -> None:
    digests = {
        FusionData(dataset=make_lists(seed=seed), label="", simulated=True).digest
        for seed in (1, 1, 2)
    }

    assert len(digests) == 2


def test_other_groups_or_other_types_of_lists_have_another_digest(make_lists) -> None:
    data = FusionData(dataset=make_lists(queries=3), label="", simulated=True)
    missed = replace(data.dataset, unfound={1: (1,)})

    digests = {
        data.digest,
        replace(data, groups=("a", "a", "b")).digest,
        replace(data, record_types=("census", "census", "birth")).digest,
        replace(data, dataset=missed).digest,
    }

    assert len(digests) == 4


def test_letor_files_of_unlike_width_are_brought_to_the_width_of_training(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("1 qid:1 1:1 2:1\n0 qid:1 1:1\n")
    (tmp_path / "test.txt").write_text("1 qid:9 1:1\n0 qid:9 1:0\n")

    paths = tmp_path / "train.txt", tmp_path / "test.txt"
    data = read_records_data("letor", *paths, simulated=False)

    assert data.test.feature_names == data.train.feature_names == ("1", "2")


def test_simulated_lists_have_the_size_wanted_and_say_that_they_are_simulated() -> None:
    options = {"queries": 9, "lists": 4, "seed": 1, "model_seed": 2}
    data = simulate_fusion(**options)

    assert data.simulated
    assert data.label == "simulated: 9 queries, 4 lists, seed 1, model seed 2"
    assert (len(data.dataset.query_ids), len(data.dataset.list_names)) == (9, 4)
    assert data.digest == simulate_fusion(**options).digest


def test_simulated_records_have_a_shape_of_the_paper_and_say_that_they_are_simulated() -> None:
    data = simulate_records(shape="residence", seed=1, model_seed=1)

    assert data.simulated
    assert data.train.features.shape == data.test.features.shape == (69_053, 87)
    with pytest.raises(InputError, match="marriage, residence"):
        simulate_records(shape="census", seed=1, model_seed=1)
