"""Tests for `forebear_lab.experiments.records` and its report."""

from pathlib import Path

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.coordinate_ascent import mean_ndcg
from forebear_lab.experiments.data import RecordsData
from forebear_lab.experiments.records import RecordsPlan, linear_ndcg, run_records
from forebear_lab.experiments.report.records import report_records


@pytest.fixture
def data(clauses) -> RecordsData:
    halves = clauses.take(range(20)), clauses.take(range(20, 30))
    return RecordsData(
        name="marriage", train=halves[0], test=halves[1], label="drawn", simulated=True
    )


def test_every_learner_is_measured_on_the_test_queries(data: RecordsData, tmp_path: Path) -> None:
    told: list[str] = []
    results = run_records(data, RecordsPlan(seeds=(1, 2)), tmp_path, progress=told.append)

    assert len(results.methods) == 8
    assert len(told) == 16
    for one in results.methods:
        assert one.ndcg.shape == (10,)
        assert one.evaluations > 0


def test_what_is_finished_is_kept(data: RecordsData, tmp_path: Path) -> None:
    plan = RecordsPlan(methods=("ca_uniform", "ca_customized"))
    run_records(data, plan, tmp_path, progress=lambda _: None)
    told: list[str] = []

    run_records(data, plan, tmp_path, progress=told.append)

    assert all("kept from before" in message for message in told)


def test_the_report_judges_likeness_and_the_tenfold_speed(
    data: RecordsData, tmp_path: Path
) -> None:
    results = run_records(data, RecordsPlan(), tmp_path, progress=lambda _: None)
    report = report_records([results], seed=1)

    page, _ = report.write(tmp_path)

    claims = [one.claim for one in report.verdicts]
    assert len(claims) == 3
    assert "This data is simulated." in page.read_text("utf-8")
    evaluations = next(one for one in report.verdicts if "evaluations" in one.claim)
    assert evaluations.answer == "does not hold"


def test_ndcg_by_query_averages_to_the_learners_own(clauses) -> None:
    weights = np.array([0.5, 0.25, 0.0, 0.125, -0.125, 0.0625])

    assert linear_ndcg(clauses, weights).mean() == pytest.approx(mean_ndcg(clauses, weights))


def test_an_unknown_learner_is_refused(data: RecordsData, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'nonsense'"):
        run_records(data, RecordsPlan(methods=("nonsense",)), tmp_path, progress=lambda _: None)
