"""Tests for `forebear.trec`."""

import re
from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear.trec import Qrels, read_qrels, write_qrels


@pytest.mark.parametrize("name", ["qrels.txt", "qrels.txt.gz"])
def test_judgments_that_were_written_are_read_back(tmp_path: Path, name: str) -> None:
    qrels = Qrels(grades={"q1": {"d1": 1, "d2": 0}, "q2": {"d1": -1, "d3": 2}})

    write_qrels(qrels, tmp_path / name)

    assert read_qrels(tmp_path / name) == qrels


def test_a_negative_grade_and_no_judgment_are_both_worth_nothing() -> None:
    qrels = Qrels(grades={"q": {"a": -1, "b": 2}})

    assert [qrels.gain("q", name) for name in "abc"] == [0, 2, 0]
    assert qrels.gain("other", "b") == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q 0 d2", "line 2: expected 4 columns: query iteration document grade"),
        ("q 0 d2 yes", "line 2: expected a whole number as the grade; found 'yes'"),
        ("q 0 d1 1", "line 2: expected each document judged once for query 'q'; found 'd1'"),
    ],
)
def test_a_malformed_judgment_is_refused_with_its_place(
    tmp_path: Path, line: str, message: str
) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text(f"q 0 d1 1\n{line}\n")

    with pytest.raises(InputError, match=re.escape(message)):
        read_qrels(path)


def test_a_judged_name_of_two_words_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be in a qrels file"):
        write_qrels(Qrels(grades={"q 1": {"d": 1}}), tmp_path / "qrels.txt")
