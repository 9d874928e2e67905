"""Tests for `forebear_lab.experiments.report.ranklib`."""

import numpy as np
import pytest

from forebear_lab.baselines.maven import Limits
from forebear_lab.experiments.data import RecordsData
from forebear_lab.experiments.record_methods import choose_records_methods
from forebear_lab.experiments.records import RecordsResult, RecordsResults
from forebear_lab.experiments.report.ranklib import explain_ranklib
from forebear_lab.experiments.report.records import report_records


@pytest.fixture
def measure(clauses):
    """Return a function from RankLib's distance to the results of both programs."""

    def measured(distance: float, seen: str = "") -> RecordsResults:
        methods = choose_records_methods(["ca_uniform", "ranklib_ca"], Limits())
        data = RecordsData(
            name="marriage", train=clauses, test=clauses, label="drawn", simulated=True
        )
        ndcg = np.linspace(0.3, 0.7, 50)
        results = tuple(
            RecordsResult(
                method=method,
                ndcg=ndcg + (distance if method.external else 0.0),
                train=0.5,
                start=0.4,
                evaluations=10,
                seconds=(1.0,),
                ended="",
                curve=(),
                seen=seen if method.external else "",
            )
            for method in methods
        )
        return RecordsResults(data=data, methods=results, learned_from=len(clauses.query_ids))

    return measured


def test_a_difference_over_one_point_comes_with_its_cause(measure) -> None:
    shape = measure(-0.02)

    text = explain_ranklib(shape, seed=1)

    assert "-0.0200 [-0.0200, -0.0200]. RankLib makes 5 restarts" in text
    sentences = [
        one
        for section in report_records([shape], seed=1).page().sections
        for one in section.sentences
    ]
    assert text in sentences


def test_a_sample_is_part_of_the_cause(measure) -> None:
    text = explain_ranklib(measure(0.02, "3 of 50 queries"), seed=1)

    assert text.endswith("It learned from 3 of 50 queries.")


def test_what_agrees_needs_no_cause(measure) -> None:
    assert explain_ranklib(measure(0.009), seed=1) == ""
