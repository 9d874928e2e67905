"""Tests for `forebear_lab.experiments.report.factor_of_ten`."""

from dataclasses import replace
from pathlib import Path

import pytest

from forebear_lab.experiments.data import RecordsData
from forebear_lab.experiments.records import RecordsPlan, RecordsResults, TargetCost, run_records
from forebear_lab.experiments.report.factor_of_ten import factor_section, factors_of
from forebear_lab.experiments.report.records import report_records


@pytest.fixture
def shape(clauses, tmp_path: Path) -> RecordsResults:
    """Return results with costs that are easy to divide."""
    data = RecordsData(name="marriage", train=clauses, test=clauses, label="drawn", simulated=True)
    plan = RecordsPlan(methods=("ranklib", "ca_uniform", "ca_customized"))
    results = run_records(data, plan, tmp_path, progress=lambda _: None)
    costs = {"ranklib": (9000.0, 90.0), "ca_uniform": (300.0, 2.0), "ca_customized": (100.0, 1.0)}
    methods = tuple(
        replace(one, evaluations=costs[one.method.name][0], seconds=(costs[one.method.name][1],))
        for one in results.methods
    )
    targets = {
        "ca_uniform": TargetCost(evaluations=240, seconds=1.8, reached=1),
        "ca_customized": TargetCost(evaluations=20, seconds=0.2, reached=1),
    }
    return replace(results, methods=methods, targets=targets)


def test_each_reading_is_counted_in_evaluations_and_in_time(shape: RecordsResults) -> None:
    stopped, reached, restarted = factors_of(shape)

    assert str(stopped) == "marriage, until each stops (evaluations 3.0, CPU 2.0)"
    assert (reached.evaluations, reached.seconds) == pytest.approx((12, 9))
    assert (restarted.evaluations, restarted.seconds) == (90, 90)
    assert [one.is_about_ten for one in (stopped, reached, restarted)] == [False, True, True]


def test_the_paragraph_says_where_the_factor_appears_and_where_not(shape: RecordsResults) -> None:
    missed = TargetCost(evaluations=20, seconds=0.2, reached=0)
    other = replace(shape, targets={**shape.targets, "ca_customized": missed})

    section = factor_section([other])

    assert section is not None
    (paragraph,) = section.sentences
    where, where_not = paragraph.split("The factor appears here: ")[1].split("not appear here: ")
    assert "five restarts (evaluations 90.0, CPU 90.0)" in where
    assert "until each stops" in where_not
    assert "training NDCG (not reached)" in where_not
    titles = [one.title for one in report_records([other], seed=1).page().sections]
    assert section.title in titles


def test_without_both_starts_there_is_no_paragraph(shape: RecordsResults) -> None:
    assert factor_section([replace(shape, methods=shape.methods[:2])]) is None
