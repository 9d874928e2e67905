"""Conventions that tools decide differently: `forebear_lab.evaluation.conventions`."""

import pytest

from forebear.errors import InputError
from forebear.trec import Qrels, Run
from forebear_lab.evaluation.evaluate import Conventions, Ties, WithoutRelevant, evaluate
from forebear_lab.evaluation.files import DiversityQrels, DocumentTypes
from forebear_lab.evaluation.measures.measure import parse_measure
from forebear_lab.evaluation.measures.ndcg import ndcg

NDCG = parse_measure("ndcg@10")
MRR = parse_measure("mrr")
NCE = parse_measure("nce")
TIED = Run(scores={"q": {"a": 1.0, "c": 1.0, "b": 1.0}})


@pytest.mark.parametrize(
    ("ties", "expected"),
    [("docno", 1 / 2), ("given", 1 / 3), ("pessimistic", 1 / 3), ("average", 11 / 18)],
)
def test_equal_scores_are_ordered_as_told(ties: Ties, expected: float) -> None:
    qrels = Qrels(grades={"q": {"b": 1}})

    found = evaluate(TIED, qrels, [MRR], conventions=Conventions(ties=ties))

    assert found.mean(MRR) == pytest.approx(expected)


def test_of_equally_relevant_documents_the_later_name_comes_first_pessimistically() -> None:
    types = {"a": "census", "b": "census", "c": "will"}
    qrels = Qrels(grades={"q": {"a": 1}})
    entropy = parse_measure("entropy@2")

    found = evaluate(TIED, qrels, [entropy], types, conventions=Conventions(ties="pessimistic"))

    assert found.mean(entropy) == 1.0  # c, b, a


@pytest.mark.parametrize(("counts", "expected"), [("zero", 0.5), ("one", 1.0), ("skip", 1.0)])
def test_a_query_without_a_relevant_document_counts_as_told(
    counts: WithoutRelevant, expected: float
) -> None:
    run = Run(scores={"q1": {"a": 1.0}, "q2": {"a": 1.0}})
    qrels = Qrels(grades={"q1": {"a": 1}, "q2": {"a": 0}})

    found = evaluate(run, qrels, [NDCG], conventions=Conventions(without_relevant=counts))

    assert found.mean(NDCG) == expected
    assert ("q2" in found.per_query(NDCG)) == (counts != "skip")


def test_what_is_relevant_depends_on_the_least_relevant_grade() -> None:
    strict = parse_measure("mrr(rel=2)")
    run, qrels = Run(scores={"q": {"a": 1.0}}), Qrels(grades={"q": {"a": 1}})

    found = evaluate(run, qrels, [MRR, strict], conventions=Conventions(without_relevant="skip"))

    assert found.per_query(MRR) == {"q": 1.0}
    assert found.per_query(strict) == {}


def test_variety_is_not_a_matter_of_relevance() -> None:
    run, qrels = Run(scores={"q": {"a": 1.0, "b": 0.5}}), Qrels(grades={"q": {"a": 0}})
    types = {"a": "census", "b": "will"}

    found = evaluate(run, qrels, [NCE], types, conventions=Conventions(without_relevant="skip"))

    assert found.mean(NCE) == 1.0


def test_a_mean_over_no_query_is_refused() -> None:
    run, qrels = Run(scores={"q": {"a": 1.0}}), Qrels(grades={"q": {"a": 0}})
    found = evaluate(run, qrels, [NDCG], conventions=Conventions(without_relevant="skip"))

    with pytest.raises(InputError, match="'ndcg@10' has no mean"):
        found.means()


def test_by_subtopic_a_document_has_its_best_grade() -> None:
    qrels = DiversityQrels(grades={"q": {"a": {"1": 0, "2": 2}, "b": {"1": 1}}})
    run = Run(scores={"q": {"b": 2.0, "a": 1.0}})

    found = evaluate(run, qrels, [NDCG, parse_measure("srecall@1")])

    assert found.means() == {"ndcg@10": ndcg([1, 2]), "srecall@1": 0.5}


def test_the_supply_is_what_the_types_offered_and_not_what_was_shown() -> None:
    shown = {"a": "census", "b": "census"}
    more = DocumentTypes(
        types=shown, names=("census", "will"), supply={"q": {"census": 2, "will": 3}}
    )
    run, qrels = Run(scores={"q": {"a": 2.0, "b": 1.0}}), Qrels(grades={"q": {"a": 1}})
    supply = parse_measure("nce(ideal=supply)")

    assert evaluate(run, qrels, [supply], shown).mean(supply) == 1.0
    assert evaluate(run, qrels, [supply], more).mean(supply) == 0.0
