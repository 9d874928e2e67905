"""Tests for `forebear_lab.evaluation.evaluate`."""

import subprocess
import sys
from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear.trec import Qrels, Run
from forebear_lab.evaluation.evaluate import (
    Conventions,
    Ties,
    WithoutRelevant,
    evaluate,
    evaluate_files,
)
from forebear_lab.evaluation.files import DiversityQrels, DocumentTypes, JudgmentFiles
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


def test_a_query_without_judgments_is_ignored() -> None:
    assert evaluate(RUN, QRELS, [NDCG]).per_query(NDCG).keys() == {"q1", "q2"}


def test_every_measure_is_reported_under_its_text_form() -> None:
    measures = [parse_measure(text) for text in ("ndcg@1", "recall@2", "mrr", "success@1")]

    means = evaluate(RUN, QRELS, measures).means()

    assert means == {"ndcg@1": 0.0, "recall@2": 0.25, "mrr": 0.25, "success@1": 0.0}


def test_the_number_of_types_is_that_of_the_types_given() -> None:
    scores = evaluate(RUN, QRELS, [NCE], TYPES)
    declared = evaluate(RUN, QRELS, [parse_measure("nce@100(types=2)")], TYPES)

    assert scores.per_query(NCE)["q1"] == next(iter(declared.values.values()))["q1"]


def test_a_declared_number_of_types_goes_before_that_of_the_types_given() -> None:
    more = parse_measure("nce@100(types=3)")

    evaluation = evaluate(RUN, QRELS, [NCE, more], TYPES)

    assert evaluation.per_query(more)["q1"] < evaluation.per_query(NCE)["q1"]


def test_an_empty_list_is_not_varied() -> None:
    assert evaluate(RUN, QRELS, [NCE], TYPES).per_query(NCE)["q2"] == 0.0


def test_diversity_without_types_is_refused() -> None:
    with pytest.raises(InputError, match="'nce@100' needs the type of every document"):
        evaluate(RUN, QRELS, [NCE])


def test_a_document_without_a_type_is_refused() -> None:
    with pytest.raises(InputError, match="document 'c' of the run has no type"):
        evaluate(RUN, QRELS, [NCE], {"a": "census", "b": "census"})


def test_measures_of_relevance_need_no_types() -> None:
    assert evaluate(RUN, QRELS, [NDCG], {}).mean(NDCG) > 0


def test_judgments_without_queries_are_refused() -> None:
    with pytest.raises(InputError, match="no query was judged"):
        evaluate(RUN, Qrels(grades={}), [NDCG])


MRR = parse_measure("mrr")
TIED = Run(scores={"q": {"a": 1.0, "c": 1.0, "b": 1.0}})


@pytest.mark.parametrize(
    ("ties", "expected"),
    [("docno", 1 / 2), ("given", 1 / 3), ("pessimistic", 1 / 3), ("average", 11 / 18)],
)
def test_equal_scores_are_ordered_as_requested(ties: Ties, expected: float) -> None:
    qrels = Qrels(grades={"q": {"b": 1}})

    scores = evaluate(TIED, qrels, [MRR], conventions=Conventions(ties=ties))

    assert scores.mean(MRR) == pytest.approx(expected)


def test_of_equally_relevant_documents_the_later_name_comes_first_pessimistically() -> None:
    types = {"a": "census", "b": "census", "c": "will"}
    qrels = Qrels(grades={"q": {"a": 1}})
    entropy = parse_measure("entropy@2")

    scores = evaluate(TIED, qrels, [entropy], types, conventions=Conventions(ties="pessimistic"))

    assert scores.mean(entropy) == 1.0  # c, b, a


@pytest.mark.parametrize(("counts", "expected"), [("zero", 0.5), ("one", 1.0), ("skip", 1.0)])
def test_a_query_without_a_relevant_document_counts_as_requested(
    counts: WithoutRelevant, expected: float
) -> None:
    run = Run(scores={"q1": {"a": 1.0}, "q2": {"a": 1.0}})
    qrels = Qrels(grades={"q1": {"a": 1}, "q2": {"a": 0}})

    scores = evaluate(run, qrels, [NDCG], conventions=Conventions(without_relevant=counts))

    assert scores.mean(NDCG) == expected
    assert ("q2" in scores.per_query(NDCG)) == (counts != "skip")


def test_what_is_relevant_depends_on_the_lowest_relevant_grade() -> None:
    strict = parse_measure("mrr(rel=2)")
    run, qrels = Run(scores={"q": {"a": 1.0}}), Qrels(grades={"q": {"a": 1}})

    scores = evaluate(run, qrels, [MRR, strict], conventions=Conventions(without_relevant="skip"))

    assert scores.per_query(MRR) == {"q": 1.0}
    assert scores.per_query(strict) == {}


def test_variety_is_not_a_matter_of_relevance() -> None:
    run, qrels = Run(scores={"q": {"a": 1.0, "b": 0.5}}), Qrels(grades={"q": {"a": 0}})
    types = {"a": "census", "b": "will"}

    scores = evaluate(run, qrels, [NCE], types, conventions=Conventions(without_relevant="skip"))

    assert scores.mean(NCE) == 1.0


def test_a_mean_over_no_query_is_refused() -> None:
    run, qrels = Run(scores={"q": {"a": 1.0}}), Qrels(grades={"q": {"a": 0}})
    scores = evaluate(run, qrels, [NDCG], conventions=Conventions(without_relevant="skip"))

    with pytest.raises(InputError, match="'ndcg@100' has no mean"):
        scores.means()


def test_by_subtopic_a_document_has_its_best_grade() -> None:
    qrels = DiversityQrels(grades={"q": {"a": {"1": 0, "2": 2}, "b": {"1": 1}}})
    run = Run(scores={"q": {"b": 2.0, "a": 1.0}})

    scores = evaluate(run, qrels, [NDCG, parse_measure("srecall@1")])

    assert scores.means() == {"ndcg@100": ndcg([1, 2]), "srecall@1": 0.5}


def test_the_supply_is_what_the_types_offered_and_not_what_was_shown() -> None:
    shown = {"a": "census", "b": "census"}
    more = DocumentTypes(
        types=shown, names=("census", "will"), supply={"q": {"census": 2, "will": 3}}
    )
    run, qrels = Run(scores={"q": {"a": 2.0, "b": 1.0}}), Qrels(grades={"q": {"a": 1}})
    supply = parse_measure("nce(ideal=supply)")

    assert evaluate(run, qrels, [supply], shown).mean(supply) == 1.0
    assert evaluate(run, qrels, [supply], more).mean(supply) == 0.0


def test_judgments_are_read_by_subtopic_for_measures_of_what_is_covered(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q Q0 a 1 2.0 t\nq Q0 b 2 1.0 t\n")
    (tmp_path / "qrels").write_text("q 1 a 1\nq 2 a 1\nq 3 b 1\n")
    judgments = JudgmentFiles(qrels=tmp_path / "qrels")
    measure = parse_measure("srecall@1")

    scores = evaluate_files(tmp_path / "run", judgments, [measure])

    assert scores.mean(measure) == pytest.approx(2 / 3)


def test_judgments_are_read_by_subtopic_if_requested(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q Q0 a 1 2.0 t\nq Q0 b 2 1.0 t\n")
    (tmp_path / "qrels").write_text("q 1 a 1\nq 2 a 1\n")
    judgments = JudgmentFiles(qrels=tmp_path / "qrels", by_subtopic=True)

    assert evaluate_files(tmp_path / "run", judgments, [NDCG]).mean(NDCG) == 1.0


def test_diversity_without_types_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'nce' needs the type of every document"):
        evaluate_files(tmp_path / "none", JudgmentFiles(qrels=tmp_path), [parse_measure("nce")])


def test_small_files_are_evaluated_without_numerical_libraries(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q Q0 a 1 2.0 t\nq Q0 b 2 1.0 t\n")
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    program = f"""
import sys
from pathlib import Path
from forebear_lab.evaluation.evaluate import evaluate_files
from forebear_lab.evaluation.files import JudgmentFiles
from forebear_lab.evaluation.measures.measure import parse_measure
folder = Path({str(tmp_path)!r})
judgments = JudgmentFiles(qrels=folder / "qrels")
evaluate_files(folder / "run", judgments, [parse_measure("ndcg@10")])
sys.exit(len({{"numpy", "numba", "scipy"}} & sys.modules.keys()))
"""

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
