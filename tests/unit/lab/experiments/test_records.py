"""Tests for `forebear_lab.experiments.records` and its report."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.coordinate_ascent import mean_ndcg
from forebear_lab.baselines.maven import LimitError, Limits
from forebear_lab.baselines.ranklib import ranklib_command
from forebear_lab.experiments.data import RecordsData
from forebear_lab.experiments.record_methods import linear_scores, query_ndcg
from forebear_lab.experiments.records import RecordsPlan, TargetCost, run_records
from forebear_lab.experiments.report.records import fair_table, report_records


@pytest.fixture
def data(clauses) -> RecordsData:
    halves = clauses.take(range(20)), clauses.take(range(20, 30))
    return RecordsData(
        name="marriage", train=halves[0], test=halves[1], label="drawn", simulated=True
    )


def test_every_learner_is_measured_on_the_test_queries(data: RecordsData, tmp_path: Path) -> None:
    messages: list[str] = []
    results = run_records(data, RecordsPlan(seeds=(1, 2)), tmp_path, progress=messages.append)

    assert len(results.methods) == 8
    assert len(messages) == 16
    for one in results.methods:
        assert one.ndcg.shape == (10,)
        assert one.evaluations > 0


def test_what_is_finished_is_kept(data: RecordsData, tmp_path: Path) -> None:
    plan = RecordsPlan(methods=("ca_uniform", "ca_customized"))
    run_records(data, plan, tmp_path, progress=lambda _: None)
    messages: list[str] = []

    run_records(data, plan, tmp_path, progress=messages.append)

    assert all("kept from before" in message for message in messages)


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


def test_claims_about_a_learner_that_saw_fewer_queries_stay_undecided(
    data: RecordsData, tmp_path: Path
) -> None:
    plan = RecordsPlan(methods=("ca_uniform", "ca_customized"))
    results = run_records(data, plan, tmp_path, progress=lambda _: None)
    default, customized = results.methods
    sampled = replace(default, seen="10 of 20 queries")

    report = report_records([replace(results, methods=(sampled, customized))], seed=1)

    assert {one.answer for one in report.verdicts} == {"undecided"}
    assert "CA, default start saw 10 of 20 queries" in report.verdicts[0].figures
    assert report.table(report.shapes[0]).rows[0][0] == "CA, default start (10 of 20 queries)"


def test_ndcg_by_query_averages_to_the_learners_own(clauses) -> None:
    weights = np.array([0.5, 0.25, 0.0, 0.125, -0.125, 0.0625])

    values = query_ndcg(clauses, linear_scores(clauses, weights))

    assert values.mean() == pytest.approx(mean_ndcg(clauses, weights))


def test_an_unknown_learner_is_refused(data: RecordsData, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'nonsense'"):
        run_records(data, RecordsPlan(methods=("nonsense",)), tmp_path, progress=lambda _: None)


def test_ascents_are_compared_by_what_they_need_to_reach_the_default(
    data: RecordsData, tmp_path: Path
) -> None:
    results = run_records(data, RecordsPlan(seeds=(1, 2)), tmp_path, progress=lambda _: None)
    by_name = {one.method.name: one for one in results.methods}

    costs = results.targets

    assert set(costs) == {"ca_uniform", "ca_customized", "ca_log_odds", "ca_ridge"}
    assert costs["ca_uniform"].reached == 1
    # The last pass of a training that has ended brings nothing.
    assert costs["ca_uniform"].evaluations < by_name["ca_uniform"].evaluations
    table = fair_table(results)
    assert table.rows[0][0] == "CA, default start"
    assert table.rows[0][3:5] == table.rows[0][7:9] == ("1.0", "1.0")


def test_an_ascent_that_stops_below_the_default_has_no_cost_of_reaching_it(
    data: RecordsData, tmp_path: Path
) -> None:
    results = run_records(data, RecordsPlan(), tmp_path, progress=lambda _: None)
    missed = TargetCost(evaluations=9, seconds=0.1, reached=0.5)

    table = fair_table(replace(results, targets={**results.targets, "ca_ridge": missed}))

    assert table.rows[-1][5:9] == ("not reached (50% of seeds)", "-", "-", "-")


def test_without_java_the_rows_of_ranklib_say_that_they_did_not_run(
    data: RecordsData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forebear_lab.baselines.maven.java_homes", lambda _: iter(()))
    ranklib_command.cache_clear()
    plan = RecordsPlan(methods=("ca_uniform", "ranklib_ca"), ranklib=Limits())
    messages: list[str] = []

    results = run_records(data, plan, tmp_path, progress=messages.append)

    row = report_records([results], seed=1).table(results).rows[-1]
    assert row[0] == "RankLib coordinate ascent"
    assert str(row[1]).startswith("not run: Java 11 or newer is needed")
    assert "not run" in messages[-1]
    assert not list((tmp_path / "parts").glob("*ranklib*"))


def test_a_run_beyond_its_limit_is_not_tried_again(
    data: RecordsData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def exceed(*words: object, **options: object) -> None:
        calls.append(words)
        raise LimitError("needs more than 1 s")

    monkeypatch.setattr("forebear_lab.experiments.record_methods.train_ranker", exceed)
    plan = RecordsPlan(methods=("ca_uniform", "ranklib_ca"), ranklib=Limits(seconds=1))

    for _ in range(2):
        results = run_records(data, plan, tmp_path, progress=lambda _: None)

    assert [one.reason for one in results.not_run] == ["needs more than 1 s"]
    assert len(calls) == 1
