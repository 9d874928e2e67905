"""Tests for `forebear_lab.learning.export`: other tools read what it writes."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import pytrec_eval

import forebear
from forebear.errors import InputError
from forebear.search.expansion.catalog import load_catalog
from forebear.trec import read_qrels, read_run
from forebear_lab.cli.export import Format
from forebear_lab.evaluation.evaluate import evaluate_files
from forebear_lab.evaluation.files import JudgmentFiles
from forebear_lab.evaluation.measures.measure import parse_measure
from forebear_lab.experiments.data import read_fusion_data
from forebear_lab.experiments.engine_data import fusion_data, read_log
from forebear_lab.learning.export import FORMATS, export_searches, write_name
from forebear_lab.learning.files import read_fusion_npz, read_ranking

LETOR_LINE = re.compile(r"[01] qid:[0-9]+( [0-9]+:[01])+ # docid = (\S+) search = (\S+)")
Export = Callable[[str], Path]


@pytest.fixture(scope="module")
def export(searched: Path, tmp_path_factory: pytest.TempPathFactory) -> Export:
    def write(file_format: str) -> Path:
        folder = tmp_path_factory.mktemp(file_format)
        with forebear.open(searched) as archive:
            export_searches(archive.current_log().judged, archive.model(), file_format, folder)
        return folder

    return write


def test_the_command_offers_every_format() -> None:
    assert get_args(Format) == (*FORMATS, "ubi")


def test_letor_lines_have_ranklibs_grammar(export: Export) -> None:
    folder = export("letor")
    lines = (folder / "census.letor").read_text("utf-8").splitlines()

    queries = []
    for line in lines:
        match = LETOR_LINE.fullmatch(line)
        assert match, line
        words = line.partition("#")[0].split()
        queries.append(int(words[1].removeprefix("qid:")))
        features = [int(word.partition(":")[0]) for word in words[2:]]
        assert features == sorted(set(features))
        assert features[0] >= 1
        assert match[2].startswith("census:C18")
    assert queries == sorted(queries)
    assert set(queries) == set(range(1, 25))
    clauses = [row.clause for row in load_catalog()["census"]]
    named = [f"{number}\t{clause}" for number, clause in enumerate(clauses, start=1)]
    assert (folder / "census.features.tsv").read_text("utf-8").splitlines() == named


def test_our_reader_reads_the_same_from_letor_and_npz(export: Export) -> None:
    letor = read_ranking(export("letor") / "census.letor")
    arrays = read_ranking(export("npz") / "census.npz")

    assert letor.binary
    assert letor.query_ids == arrays.query_ids
    np.testing.assert_array_equal(letor.features, arrays.features)
    np.testing.assert_array_equal(letor.labels, arrays.labels)
    np.testing.assert_array_equal(letor.offsets, arrays.offsets)


def test_lightgbm_learns_from_letor_and_from_arrays(export: Export) -> None:
    from lightgbm import Dataset, train
    from sklearn.datasets import load_svmlight_file

    features, labels, queries = load_svmlight_file(
        str(export("letor") / "census.letor"), query_id=True, zero_based=False
    )
    with np.load(export("npz") / "census.npz") as file:
        table, grades, numbers = file["X"], file["y"], file["q"]
    np.testing.assert_array_equal(features.toarray(), table)
    np.testing.assert_array_equal(labels, grades)
    np.testing.assert_array_equal(queries, numbers)
    sizes = np.unique(queries, return_counts=True)[1]
    data = Dataset(table.astype(np.float64), grades, group=sizes, params={"verbose": -1})
    settings = {"objective": "lambdarank", "min_data_in_leaf": 1, "verbose": -1, "num_threads": 1}

    ranker = train({**settings, "min_data_in_bin": 1}, data, num_boost_round=5)

    scores = np.asarray(ranker.predict(table.astype(np.float64)))
    assert scores[grades > 0].mean() > scores[grades == 0].mean()


def test_runs_and_judgments_have_the_columns_of_trec_eval(export: Export) -> None:
    folder = export("trec")

    assert {path.name for path in folder.iterdir()} == {
        *("birth.run", "census.run", "residence.run", "shown.txt", "qrels.txt")
    }
    for path in folder.glob("*.run"):
        for line in path.read_text("utf-8").splitlines():
            query, iteration, _, rank, score, tag = line.split()
            assert (iteration, tag) == ("Q0", path.stem)
            assert query.startswith("q")
            assert int(rank) >= 1
            float(score)
    for line in (folder / "qrels.txt").read_text("utf-8").splitlines():
        assert re.fullmatch(r"q[0-9]+ 0 \S+ [01]", line)
    assert read_qrels(folder / "qrels.txt").grades["q0"]["birth:B6"] == 0


def test_the_shown_list_is_measured_as_scikit_learn_measures_it(export: Export) -> None:
    from sklearn.metrics import ndcg_score

    folder = export("trec")
    measure = parse_measure("ndcg")
    ours = evaluate_files(
        folder / "shown.txt", JudgmentFiles(qrels=folder / "qrels.txt"), [measure]
    ).per_query(measure)

    run, qrels = read_run(folder / "shown.txt"), read_qrels(folder / "qrels.txt")
    for query, scores in run.scores.items():
        grades = [qrels.gain(query, document) for document in scores]
        theirs = ndcg_score([grades], [list(scores.values())])
        assert ours[query] == pytest.approx(theirs)
    assert len(run.scores) == 24


@pytest.mark.parametrize("name", ["shown.txt", "birth.run", "census.run", "residence.run"])
def test_trec_eval_reads_runs_and_judgments_and_measures_the_same(
    export: Export, name: str
) -> None:
    folder = export("trec")
    with (folder / name).open(encoding="utf-8") as run, (folder / "qrels.txt").open() as qrels:
        lists, judged = pytrec_eval.parse_run(run), pytrec_eval.parse_qrel(qrels)
    theirs = pytrec_eval.RelevanceEvaluator(judged, {"ndcg", "ndcg_cut_10"}).evaluate(lists)

    for theirs_name, ours_name in (("ndcg", "ndcg"), ("ndcg_cut_10", "ndcg@10")):
        measure = parse_measure(ours_name)
        ours = evaluate_files(
            folder / name, JudgmentFiles(qrels=folder / "qrels.txt"), [measure]
        ).per_query(measure)
        expected = {query: values[theirs_name] for query, values in theirs.items()}
        assert {query: ours[query] for query in expected} == pytest.approx(expected)
        assert len(expected) == len(lists)


def test_trec_eval_reads_the_judgments_that_are_exported_alone(export: Export) -> None:
    path = export("qrels") / "qrels.txt"
    with path.open(encoding="utf-8") as file:
        theirs = pytrec_eval.parse_qrel(file)

    assert theirs == read_qrels(path).grades
    assert theirs["q0"]["birth:B6"] == 0


def test_experiments_read_the_same_lists_from_files_as_from_the_log(
    export: Export, searched: Path
) -> None:
    direct = fusion_data(
        read_log(searched, lists=lambda _: None, model=None, seed=1, progress=lambda _: None)
    ).dataset

    from_runs = read_fusion_data([export("trec")], None).dataset
    first, second = read_fusion_npz(export("npz") / "fusion.npz")

    assert from_runs.list_names == direct.list_names
    assert set(from_runs.query_ids) == set(direct.query_ids)
    assert from_runs.labels.sum() == direct.labels.sum()
    np.testing.assert_allclose(np.sort(from_runs.scores), np.sort(direct.scores), atol=1e-6)
    np.testing.assert_array_equal(np.concatenate((first.scores, second.scores)), direct.scores)


def test_json_lines_have_everything(export: Export, searched: Path) -> None:
    lines = (export("jsonl") / "searches.jsonl").read_text("utf-8").splitlines()
    values = {value["id"]: value for value in map(json.loads, lines)}

    value = values["q1"]
    assert len(values) == 24
    assert value["query"]["names"][0]["surname"] == "Thurlow"
    assert value["attached"][0] == "birth:B1"
    assert values["q0"]["rejected"] == ["birth:B6"]
    (birth,) = (one for one in value["lists"] if one["name"] == "birth")
    assert birth["record_type"] == "birth"
    assert "self.surname.exact" in birth["records"][0]["clauses"]
    assert "searcher" not in lines[0]


def test_qrels_alone_are_one_file(export: Export) -> None:
    assert [path.name for path in export("qrels").iterdir()] == ["qrels.txt"]


def test_names_are_one_word() -> None:
    assert write_name("census:A 12\u00a03%#") == "census:A%2012%C2%A03%25%23"


def test_a_log_without_attachments_is_not_exported(imported: Path, tmp_path: Path) -> None:
    with (
        forebear.open(imported) as archive,
        pytest.raises(InputError, match="nothing was attached"),
    ):
        export_searches(archive.current_log().judged, archive.model(), "letor", tmp_path / "out")

    assert not (tmp_path / "out").exists()
