"""Tests for `forebear_lab.evaluation.files`."""

import re
from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear_lab.evaluation import files
from forebear_lab.evaluation.files import (
    DiversityQrels,
    JudgmentFiles,
    read_diversity_qrels,
    read_groups,
    read_type_runs,
    read_types,
    write_diversity_qrels,
)


def test_the_types_of_documents_are_read(tmp_path: Path) -> None:
    path = tmp_path / "types.txt"
    path.write_text("d1 census\nd2\tburial\nd1 census\n")

    assert read_types(path) == {"d1": "census", "d2": "burial"}


def test_a_document_of_two_types_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "types.txt"
    path.write_text("d1 census\nd1 burial\n")

    with pytest.raises(InputError, match="line 2: expected one type for 'd1', which is 'census'"):
        read_types(path)


def test_runs_named_after_types_give_the_types_and_the_supply(tmp_path: Path) -> None:
    (tmp_path / "census.trec").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 a 1 1 t\n")
    (tmp_path / "will.run").write_text("q1 Q0 c 1 2 t\n")
    (tmp_path / "burial.run").write_text("")
    (tmp_path / "README.txt").write_text("what these are")

    types = read_type_runs(tmp_path)

    assert types.types == {"a": "census", "b": "census", "c": "will"}
    assert types.names == ("burial", "census", "will")
    assert types.supply == {"q1": {"census": 2, "will": 1}, "q2": {"census": 1}}


def test_a_document_in_the_runs_of_two_types_is_refused(tmp_path: Path) -> None:
    (tmp_path / "census.trec").write_text("q1 Q0 a 1 2 t\n")
    (tmp_path / "will.trec").write_text("q2 Q0 a 1 2 t\n")

    with pytest.raises(InputError, match=r"'a' has type 'will' here, but is in census\.trec too"):
        read_type_runs(tmp_path)


def test_two_runs_of_one_type_are_refused(tmp_path: Path) -> None:
    (tmp_path / "census.trec").write_text("")
    (tmp_path / "census.run.gz").write_text("")

    with pytest.raises(InputError, match="are both the run of type 'census'"):
        read_type_runs(tmp_path)


@pytest.mark.parametrize(
    ("folder", "message"), [("none", "there is no folder"), (".", "holds no run")]
)
def test_a_folder_without_runs_is_refused(tmp_path: Path, folder: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_type_runs(tmp_path / folder)


QRELS = DiversityQrels(grades={"q1": {"a": {"1": 1, "2": 0}, "b": {"2": 2}}, "q2": {"a": {"1": 1}}})


@pytest.mark.parametrize("name", ["qrels.txt", "qrels.txt.gz"])
def test_judgments_that_were_written_are_read_back(tmp_path: Path, name: str) -> None:
    write_diversity_qrels(QRELS, tmp_path / name)

    assert read_diversity_qrels(tmp_path / name) == QRELS


def test_overall_a_document_has_its_best_grade() -> None:
    assert QRELS.overall().grades == {"q1": {"a": 1, "b": 2}, "q2": {"a": 1}}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q 1 d2", "line 2: expected 4 columns: query subtopic document grade"),
        ("q 1 d2 yes", "line 2: expected a whole number as the grade; found 'yes'"),
        ("q 1 d1 1", "line 2: expected each document judged once for subtopic '1' of query 'q'"),
    ],
)
def test_a_malformed_judgment_is_refused_with_its_place(
    tmp_path: Path, line: str, message: str
) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text(f"q 1 d1 1\n{line}\n")

    with pytest.raises(InputError, match=re.escape(message)):
        read_diversity_qrels(path)


def test_a_subtopic_of_two_words_cannot_be_written(tmp_path: Path) -> None:
    qrels = DiversityQrels(grades={"q": {"d": {"sub topic": 1}}})

    with pytest.raises(InputError, match="cannot be in a qrels file"):
        write_diversity_qrels(qrels, tmp_path / "qrels.txt")


def test_groups_are_read(tmp_path: Path) -> None:
    path = tmp_path / "groups.txt"
    path.write_text("q1 smith\nq2 smith\nq3 brown\n")

    assert read_groups(path) == {"q1": "smith", "q2": "smith", "q3": "brown"}


def test_a_query_of_two_groups_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "groups.txt"
    path.write_text("q1 smith\nq1 brown\n")

    with pytest.raises(
        InputError, match="line 2: expected one group for 'q1', which is in 'smith'"
    ):
        read_groups(path)


def test_a_file_is_large_by_what_it_unpacks_to(tmp_path: Path) -> None:
    path = tmp_path / "a.run.gz"
    path.write_bytes(bytes(files.LARGE_BYTES // 2))

    assert files.is_large(path)
    assert not files.is_large(path.rename(tmp_path / "a.run"))
    assert not files.is_large(tmp_path / "missing")


def test_types_from_a_file_and_from_runs_at_once_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not from both"):
        JudgmentFiles(qrels=tmp_path, types=tmp_path, type_runs=tmp_path)
