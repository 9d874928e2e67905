"""Tests for `forebear_lab.experiments.fusion`, its methods and its report."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear_lab.baselines.maven import Limits
from forebear_lab.baselines.ranklib import ranklib_command
from forebear_lab.evaluation.letor import LetorData
from forebear_lab.experiments.data import FusionData
from forebear_lab.experiments.fusion import FusionPlan, run_fusion
from forebear_lab.experiments.methods import METHODS, choose_methods
from forebear_lab.experiments.report.fusion import report_fusion
from forebear_lab.experiments.report.ranklib import compare_with_ranklib

SOME = FusionPlan(methods=("ss", "ca", "exact", "ranksvm", "rrf"), folds=3, sample=20)


@pytest.fixture
def data(make_lists) -> FusionData:
    return FusionData(dataset=make_lists(queries=60), label="drawn for a test", simulated=True)


def test_every_query_is_tested_once_by_every_method(data: FusionData, tmp_path: Path) -> None:
    results = run_fusion(data, SOME, tmp_path, progress=lambda _: None)

    assert sorted(results.query_ids) == sorted(data.dataset.query_ids)
    assert results.methods[0].method.name == "baseline"
    for one in results.methods:
        assert one.ndcg.shape == one.nce.shape == (60,)
        assert len(one.seconds) == 3


def test_learned_weights_beat_raw_scores(data: FusionData, tmp_path: Path) -> None:
    results = run_fusion(data, SOME, tmp_path, progress=lambda _: None)

    means = {one.method.name: one.ndcg.mean() for one in results.methods}
    assert min(means["ss"], means["ca"], means["exact"]) > means["baseline"] + 0.05


def test_a_killed_experiment_goes_on_where_it_stopped(data: FusionData, tmp_path: Path) -> None:
    messages: list[str] = []

    def kill_after_four(message: str) -> None:
        messages.append(message)
        if len(messages) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_fusion(data, SOME, tmp_path, progress=kill_after_four)
    again: list[str] = []
    results = run_fusion(data, SOME, tmp_path, progress=again.append)

    assert ["kept from before" in message for message in again[:5]] == [True] * 4 + [False]
    whole = run_fusion(data, SOME, tmp_path / "other", progress=lambda _: None)
    for one, other in zip(results.methods, whole.methods, strict=True):
        np.testing.assert_array_equal(one.ndcg, other.ndcg)


def test_the_report_is_one_page_without_outside_resources_labelled_simulated(
    data: FusionData, tmp_path: Path
) -> None:
    report = report_fusion(run_fusion(data, SOME, tmp_path, progress=lambda _: None))

    page, values = report.write(tmp_path)

    text = page.read_text("utf-8")
    assert "This data is simulated." in text
    assert text.count("<svg") >= 4
    outside = re.sub(r'xmlns="http://www.w3.org/2000/svg"', "", text)
    assert not re.search(r"https?://|<script|<link|src=", outside)
    assert json.loads(values.read_text("utf-8"))["queries"] == 60


def test_real_data_is_not_called_simulated(make_lists, tmp_path: Path) -> None:
    data = FusionData(dataset=make_lists(queries=12), label="runs", simulated=False)
    plan = FusionPlan(methods=("exact",), folds=2)

    page, _ = report_fusion(run_fusion(data, plan, tmp_path, progress=lambda _: None)).write(
        tmp_path
    )

    assert "simulated" not in page.read_text("utf-8").split("</style>")[1]


def test_points_and_percent_are_both_given(data: FusionData, tmp_path: Path) -> None:
    results = run_fusion(data, SOME, tmp_path, progress=lambda _: None)
    report = report_fusion(results)

    base, ss = report.ndcg["baseline"], report.ndcg["ss"]
    assert ss.points == pytest.approx(100 * (ss.mean - base.mean))
    assert ss.percent == pytest.approx(100 * (ss.mean / base.mean - 1))
    assert ss.points_low <= ss.points <= ss.points_high


def test_the_papers_claims_about_methods_that_ran_are_judged(
    data: FusionData, tmp_path: Path
) -> None:
    report = report_fusion(run_fusion(data, SOME, tmp_path, progress=lambda _: None))

    answers = {one.claim: one.answer for one in report.verdicts}
    assert answers["SS is above the raw scores (NDCG@100)"] == "holds"
    assert "SS trains more than 2 times faster than CA" in [
        one.claim for one in report.time_verdicts
    ]
    assert not any("RankNet" in claim for claim in answers)


def test_an_unknown_method_is_refused_with_those_known() -> None:
    with pytest.raises(InputError, match=r"'nonsense'[\s\S]*lambdamart"):
        choose_methods(["nonsense"])


def test_all_methods_are_chosen_unless_some_are_named() -> None:
    assert len(choose_methods([])) == len(METHODS)
    assert [one.name for one in choose_methods(["ss"])] == ["baseline", "ss"]


def test_without_java_the_rows_of_ranklib_say_that_they_did_not_run(
    data: FusionData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forebear_lab.baselines.maven.java_homes", lambda _: iter(()))
    ranklib_command.cache_clear()
    plan = FusionPlan(methods=("ss", "ranklib_ca"), folds=2, ranklib=Limits())

    report = report_fusion(run_fusion(data, plan, tmp_path, progress=lambda _: None))

    row = report.table().rows[-1]
    assert row[0] == "RankLib coordinate ascent"
    assert str(row[1]).startswith("not run: Java 11 or newer is needed")
    assert report.value()["not_run"][0]["name"] == "ranklib_ca"


def test_ranklib_stands_beside_ours_with_the_cause_of_the_difference(
    data: FusionData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class ReversedScores:
        def score(self, rows: LetorData) -> NDArray[np.float64]:
            return -rows.features.sum(axis=1)

        seconds = 2.5

    monkeypatch.setattr(
        "forebear_lab.baselines.ranklib.train_ranker", lambda *_, **__: ReversedScores()
    )
    plan = FusionPlan(methods=("ca", "ranklib_ca"), folds=2, ranklib=Limits())

    results = run_fusion(data, plan, tmp_path, progress=lambda _: None)

    (row,) = compare_with_ranklib(results).rows
    assert row[0] == "coordinate ascent (CA)"
    assert row[5] == "2.50"
    assert "5 restarts" in str(row[6])
    page, _ = report_fusion(results).write(tmp_path)
    assert "RankLib beside ours" in page.read_text("utf-8")


def test_groups_of_queries_are_never_divided(make_lists, tmp_path: Path) -> None:
    groups = tuple(f"family{number // 10}" for number in range(40))
    data = FusionData(dataset=make_lists(queries=40), label="", simulated=True, groups=groups)
    plan = FusionPlan(methods=("exact",), folds=2)

    results = run_fusion(data, plan, tmp_path, progress=lambda _: None)

    family = dict(zip(data.dataset.query_ids, groups, strict=True))
    halves = [family[query] for query in results.query_ids]
    assert not set(halves[:20]) & set(halves[20:])


def test_the_engines_model_is_the_last_row_and_has_no_training(data, tmp_path: Path) -> None:
    scales = 4.0 ** data.dataset.lists_of_records()
    scaled = replace(data, engine_scores=data.dataset.scores / scales)
    plan = FusionPlan(methods=("exact",), folds=3)

    results = run_fusion(scaled, plan, tmp_path, progress=lambda _: None)
    report = report_fusion(results)
    page, _ = report.write(tmp_path)

    engine = results.methods[-1]
    assert engine.method.name == "engine"
    assert engine.ndcg.mean() > results.methods[0].ndcg.mean() + 0.05
    assert results.engine_trade_offs[0]["ndcg"] == pytest.approx(engine.ndcg.mean())
    assert "the engine's model" in page.read_text("utf-8").replace("&#x27;", "'")


def test_variety_is_measured_when_planned_and_parts_are_apart(data, tmp_path: Path) -> None:
    plan = FusionPlan(methods=("exact",), folds=2)
    relevance = run_fusion(data, plan, tmp_path, progress=lambda _: None)
    variety = run_fusion(data, replace(plan, variety=True), tmp_path, progress=lambda _: None)

    assert relevance.methods[0].variety == {}
    assert variety.methods[0].variety["srecall@20"].shape == (60,)
    np.testing.assert_array_equal(relevance.methods[1].ndcg, variety.methods[1].ndcg)
    again: list[str] = []
    run_fusion(data, plan, tmp_path, progress=again.append)
    assert all("kept from before" in message for message in again)
