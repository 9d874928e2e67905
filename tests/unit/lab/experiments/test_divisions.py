"""Tests for `forebear_lab.experiments.divisions`."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import forebear
from forebear.errors import ForebearError, InputError
from forebear_lab.experiments.data import FusionData
from forebear_lab.experiments.divisions import compare_fusion, divide, division_table
from forebear_lab.experiments.fusion import FusionPlan, run_fusion
from forebear_lab.experiments.worlds import World, import_world


@pytest.fixture(scope="module")
def split(world_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    world = World(folder=world_folder, splits={"census": "year"})
    with import_world(world, tmp_path_factory.mktemp("split"), progress=lambda _: None) as archive:
        return archive.path


def lists_of(path: Path, division: str) -> dict[str, tuple[str, ...]]:
    with forebear.open(path) as archive:
        lists = divide(archive, division)
        assert lists is not None
        return {list_.name: list_.collections for list_ in lists}


def test_collections_are_divided_by_type_or_one_by_one(split: Path) -> None:
    census = ("census-1841", "census-1851")
    by_type = lists_of(split, "type")
    by_collection = lists_of(split, "collection")

    assert by_type["census"] == census
    assert set(by_collection) == {"birth", "residence", *census}


def test_a_file_names_lists_and_the_rest_stays_with_its_type(split: Path, tmp_path: Path) -> None:
    path = tmp_path / "late.json"
    path.write_text(json.dumps({"late": ["census-1851"]}))

    lists = lists_of(split, str(path))

    assert lists["late"] == ("census-1851",)
    assert lists["census"] == ("census-1841",)


@pytest.mark.parametrize("text", ["[]", "nonsense", '{"late": ["nowhere"]}', '{"late": 3}'])
def test_a_file_that_is_no_division_is_refused(split: Path, tmp_path: Path, text: str) -> None:
    path = tmp_path / "late.json"
    path.write_text(text)

    with pytest.raises(ForebearError, match=r"no division|no collection"):
        lists_of(split, str(path))


def test_methods_are_compared_on_the_same_queries(make_lists, tmp_path: Path) -> None:
    plan = FusionPlan(methods=("exact",), folds=2)
    data = FusionData(dataset=make_lists(queries=20), label="", simulated=True)
    first = run_fusion(data, plan, tmp_path / "a", progress=lambda _: None)
    worse = tuple(replace(one, ndcg=one.ndcg / 2) for one in first.methods)
    second = replace(first, methods=worse)

    rows = compare_fusion(first, second, seed=1)

    assert [(row.method, row.measure) for row in rows[:2]] == [
        ("raw scores (baseline)", "ndcg"),
        ("raw scores (baseline)", "nce"),
    ]
    assert rows[0].second == pytest.approx(rows[0].first / 2)
    assert rows[0].distance.points == pytest.approx(-50 * rows[0].first)
    assert rows[1].distance.points == 0
    assert "by collection" in division_table(rows, ("type", "collection")).as_text()


def test_results_without_a_common_query_are_not_compared(make_lists, tmp_path: Path) -> None:
    plan = FusionPlan(methods=("exact",), folds=2)
    data = FusionData(dataset=make_lists(queries=8), label="", simulated=True)
    first = run_fusion(data, plan, tmp_path, progress=lambda _: None)
    second = replace(first, query_ids=tuple(f"other{n}" for n in np.arange(8)))

    with pytest.raises(InputError, match="no query in common"):
        compare_fusion(first, second, seed=1)
