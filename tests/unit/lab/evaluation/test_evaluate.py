"""Tests for `forebear_lab.evaluation.evaluate`."""

import pytest

from forebear.errors import InputError
from forebear.trec import Qrels, Run
from forebear_lab.evaluation.evaluate import evaluate
from forebear_lab.evaluation.measures.measure import parse_measure
from forebear_lab.evaluation.measures.ndcg import ndcg

NDCG = parse_measure("ndcg@100")
NCE = parse_measure("nce@100")
RUN = Run(scores={"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "unjudged": {"a": 1.0}})
QRELS = Qrels(grades={"q1": {"b": 1, "z": 1}, "q2": {"a": 1}})
TYPES = {"a": "census", "b": "census", "c": "burial"}


def test_the_ideal_is_over_all_judged_documents() -> None:
    evaluation = evaluate(RUN, QRELS, [NDCG])

    assert evaluation.per_query(NDCG)["q1"] == ndcg([0, 1, 0], judged=[1, 1])


def test_a_judged_query_that_the_run_lacks_counts_as_zero() -> None:
    evaluation = evaluate(RUN, QRELS, [NDCG])

    assert evaluation.per_query(NDCG)["q2"] == 0.0
    assert evaluation.mean(NDCG) == evaluation.per_query(NDCG)["q1"] / 2


def test_a_query_without_judgments_is_not_looked_at() -> None:
    assert evaluate(RUN, QRELS, [NDCG]).per_query(NDCG).keys() == {"q1", "q2"}


def test_every_measure_is_reported_under_its_text_form() -> None:
    measures = [parse_measure(text) for text in ("ndcg@1", "recall@2", "mrr", "success@1")]

    means = evaluate(RUN, QRELS, measures).means()

    assert means == {"ndcg@1": 0.0, "recall@2": 0.25, "mrr": 0.25, "success@1": 0.0}


def test_the_number_of_types_is_that_of_the_types_given() -> None:
    found = evaluate(RUN, QRELS, [NCE], TYPES)
    declared = evaluate(RUN, QRELS, [parse_measure("nce@100(types=2)")], TYPES)

    assert found.per_query(NCE)["q1"] == next(iter(declared.values.values()))["q1"]


def test_a_declared_number_of_types_goes_before_that_of_the_types_given() -> None:
    more = parse_measure("nce@100(types=3)")

    evaluation = evaluate(RUN, QRELS, [NCE, more], TYPES)

    assert evaluation.per_query(more)["q1"] < evaluation.per_query(NCE)["q1"]


def test_finding_nothing_is_not_varied() -> None:
    assert evaluate(RUN, QRELS, [NCE], TYPES).per_query(NCE)["q2"] == 0.0


def test_diversity_without_types_is_refused() -> None:
    with pytest.raises(InputError, match="'nce@100' needs the type of every document"):
        evaluate(RUN, QRELS, [NCE])


def test_a_document_without_a_type_is_refused() -> None:
    with pytest.raises(InputError, match="document 'c' of the run has no type"):
        evaluate(RUN, QRELS, [NCE], {"a": "census", "b": "census"})


def test_types_are_not_asked_for_by_measures_of_relevance() -> None:
    assert evaluate(RUN, QRELS, [NDCG], {}).mean(NDCG) > 0


def test_judgments_without_queries_are_refused() -> None:
    with pytest.raises(InputError, match="no query was judged"):
        evaluate(RUN, Qrels(grades={}), [NDCG])
