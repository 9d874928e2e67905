"""Tests for `forebear_lab.evaluation.diversity_qrels`."""

import re
from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear_lab.evaluation.files import (
    DiversityQrels,
    read_diversity_qrels,
    write_diversity_qrels,
)

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
