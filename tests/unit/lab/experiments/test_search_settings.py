"""Tests for `forebear_lab.experiments.search_settings` and its tables."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from forebear_lab.experiments.data import FusionData
from forebear_lab.experiments.fusion import FusionPlan, FusionResults, run_fusion
from forebear_lab.experiments.methods import METHODS
from forebear_lab.experiments.report.fusion import report_fusion
from forebear_lab.experiments.report.search_settings import readings_table, settings_table
from forebear_lab.experiments.search_settings import search_variants


@pytest.fixture
def results(make_lists, tmp_path: Path) -> FusionResults:
    data = FusionData(dataset=make_lists(queries=30), label="drawn for a test", simulated=True)
    plan = FusionPlan(methods=("ss",), folds=2, sensitivity=True)
    return run_fusion(data, plan, tmp_path, progress=lambda _: None)


def test_every_setting_of_the_paper_is_halved_and_doubled() -> None:
    titles = [method.title for method in search_variants(14)]

    assert titles[:5] == [
        "the paper's settings",
        "start on 500 queries",
        "start on 2000 queries",
        "epsilon 0.05",
        "epsilon 0.2",
    ]
    assert {"max_stagnation 5", "max_stagnation 20", "delta_ext 4", "delta_shr 0.25"} < set(titles)
    assert len(titles) == 1 + 2 * 7 + 5


def test_the_papers_settings_are_those_of_the_row_ss(make_lists) -> None:
    train, test = make_lists(), make_lists(seed=2)

    rows = [
        method.make(3, 100).fit(train).score(test)
        for method in (METHODS["ss"], search_variants(3)[0])
    ]

    np.testing.assert_allclose(np.diff(rows[0] - rows[1]), 0, atol=1e-9)


def test_the_tables_have_a_row_for_each_setting_and_reading(results: FusionResults) -> None:
    settings, readings = settings_table(results), readings_table(results)

    assert len(settings.rows) == 15
    assert settings.rows[0][-1] == "+0.0000 [+0.0000, +0.0000]"
    assert str(readings.rows[0][0]).endswith("(SS)")
    evaluations = [int(str(row[3]).replace(",", "")) for row in readings.rows]
    assert max(evaluations) > 2 * evaluations[0]
    train = [float(row[2]) for row in readings.rows]
    assert max(train) >= train[0]


def test_the_time_of_each_reading_is_compared_with_coordinate_ascent(
    results: FusionResults,
) -> None:
    ours = results.variants[-1]
    twice = tuple(2 * seconds for seconds in ours.seconds)
    method = replace(results.methods[0].method, name="ca")
    ascent = replace(results.methods[0], method=method, seconds=twice)

    with_ascent = readings_table(replace(results, methods=(*results.methods, ascent)))

    assert with_ascent.rows[-1][5] == "0.50"
    assert readings_table(results).rows[-1][5] == "-"


def test_the_row_ss_stays_alone_in_the_main_table(results: FusionResults, tmp_path: Path) -> None:
    report = report_fusion(results)

    page, _ = report.write(tmp_path)

    assert [one["name"] for one in report.value()["methods"]] == ["baseline", "ss"]
    assert len(report.value()["variants"]) == 20
    assert "Readings of max_stagnation" in page.read_text("utf-8")
