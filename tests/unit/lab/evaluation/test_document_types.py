"""Tests for `forebear_lab.evaluation.document_types`."""

from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear_lab.evaluation.files import read_type_runs, read_types


def test_the_types_of_documents_are_read(tmp_path: Path) -> None:
    path = tmp_path / "types.txt"
    path.write_text("d1 census\nd2\tburial\nd1 census\n")

    assert read_types(path) == {"d1": "census", "d2": "burial"}


def test_a_document_of_two_types_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "types.txt"
    path.write_text("d1 census\nd1 burial\n")

    with pytest.raises(InputError, match="line 2: expected one type for 'd1', which is 'census'"):
        read_types(path)


def test_runs_named_after_types_tell_the_types_and_the_supply(tmp_path: Path) -> None:
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
