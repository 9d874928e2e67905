"""Tests for `forebear.trec`."""

import gzip
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear.trec import Qrels, Run, read_qrels, read_run, write_qrels, write_run

words = st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), min_size=1, max_size=8)
finite = st.floats(allow_nan=False, allow_infinity=False)
runs = st.builds(
    Run,
    scores=st.dictionaries(
        words, st.dictionaries(words, finite, min_size=1, max_size=4), min_size=1, max_size=3
    ),
    tag=words,
)


def read_text(folder: Path, text: str) -> Run:
    path = folder / "a.run"
    path.write_text(text, encoding="utf-8")
    return read_run(path)


@pytest.mark.parametrize("suffix", ["run", "run.gz"])
@given(run=runs)
@settings(max_examples=40)
def test_a_run_that_was_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, run: Run
) -> None:
    path = tmp_path_factory.mktemp("runs") / f"a.{suffix}"

    write_run(run, path)

    assert read_run(path) == run


def test_a_compressed_run_is_known_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(gzip.compress(b"q1 Q0 d1 1 2.5 tag\n"))

    assert read_run(path).scores == {"q1": {"d1": 2.5}}


def test_equal_scores_are_ranked_by_document_name_the_last_first(tmp_path: Path) -> None:
    run = read_text(tmp_path, "q Q0 a 1 1.0 t\nq Q0 c 2 1.0 t\nq Q0 b 3 1.0 t\nq Q0 z 4 0.5 t\n")

    assert run.ranked("q") == ["c", "b", "a", "z"]


def test_equal_scores_keep_their_order_if_requested(tmp_path: Path) -> None:
    run = read_text(tmp_path, "q Q0 z 4 0.5 t\nq Q0 a 1 1.0 t\nq Q0 c 2 1.0 t\nq Q0 b 3 1.0 t\n")

    assert run.ranked("q", ties="given") == ["a", "c", "b", "z"]


def test_the_rank_column_is_ignored(tmp_path: Path) -> None:
    assert read_text(tmp_path, "q Q0 a 1 1.0 t\nq Q0 b 2 2.0 t\n").ranked("q") == ["b", "a"]


def test_a_query_that_the_run_lacks_has_no_documents() -> None:
    assert Run(scores={}).ranked("q") == []


def test_blank_lines_are_skipped(tmp_path: Path) -> None:
    assert read_text(tmp_path, "\nq Q0 a 1 1.0 t\n\n").scores == {"q": {"a": 1.0}}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q Q0 b 2 1.0", "expected 6 columns: query Q0 document rank score tag"),
        ("q Q0 b 2 1.0 tag more", "expected 6 columns"),
        ("q Q0 b 2 high tag", "expected a finite number as the score; found 'high'"),
        ("q Q0 b 2 nan tag", "expected a finite number as the score; found 'nan'"),
        ("q Q0 a 2 1.0 tag", "expected each document once for query 'q'; found 'a'"),
    ],
)
def test_a_malformed_line_is_refused_with_its_place(
    tmp_path: Path, line: str, message: str
) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as refused:
        read_text(tmp_path, f"q Q0 a 1 1.0 tag\n{line}\n")

    assert "a.run, line 2: " in refused.value.message


def test_a_file_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_run(tmp_path / "none.run")


def test_bytes_that_are_not_text_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(b"q Q0 a 1 1.0 t\nq Q0 \xff 2 1.0 t\n")

    with pytest.raises(InputError, match="line 2: not UTF-8"):
        read_run(path)


def test_a_truncated_gzip_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.run.gz"
    path.write_bytes(gzip.compress(b"q Q0 a 1 1.0 t\n")[:-6])

    with pytest.raises(InputError, match="damaged gzip"):
        read_run(path)


def test_a_name_of_two_words_cannot_be_written_and_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "a.run"

    with pytest.raises(InputError, match="'two words' cannot be in a run file"):
        write_run(Run(scores={"q": {"two words": 1.0}}), path)

    assert not path.exists()


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
