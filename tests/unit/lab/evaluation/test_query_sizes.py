"""Tests for `forebear_lab.evaluation.query_sizes`, read through `letor`."""

from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear_lab.evaluation.letor import read_letor
from forebear_lab.evaluation.query_sizes import sizes_file

LINES = "0 1:0.5\n1 2:1\n2 1:0.25\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "rank.train"
    path.write_text(LINES)
    return path


@pytest.mark.parametrize("name", ["rank.train.query", "rank.train.group"])
def test_a_file_beside_the_lines_divides_them_into_queries(data: Path, name: str) -> None:
    (data.parent / name).write_text("1\n2\n")

    read = read_letor(data)

    assert read.query_ids == ("1", "2")
    assert read.offsets.tolist() == [0, 1, 3]
    assert read.labels.tolist() == [0, 1, 2]
    assert read.features.tolist() == [[0.5, 0.0], [0.0, 1.0], [0.25, 0.0]]


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ("1\n", r"rank.train, line 2: expected 1 lines, as .*rank.train.query counts"),
        ("1\n2\n3\n", r"rank.train.query counts 6 lines, but .*rank.train has 3"),
        ("1\nx\n", r"rank.train.query, line 2: expected the number of lines"),
        ("0\n3\n", r"rank.train.query, line 1: expected the number of lines"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(data: Path, sizes: str, message: str) -> None:
    (data.parent / "rank.train.query").write_text(sizes)

    with pytest.raises(InputError, match=message):
        read_letor(data)


def test_lines_without_queries_name_the_missing_file(data: Path) -> None:
    with pytest.raises(InputError, match=r"line 1: .*\n.*rank.train.query beside them"):
        read_letor(data)


def test_lines_with_queries_beside_a_file_of_sizes_are_refused(data: Path) -> None:
    data.write_text("0 qid:1 1:0.5\n")
    (data.parent / "rank.train.query").write_text("1\n")

    with pytest.raises(InputError, match="line 1: expected no qid"):
        read_letor(data)


def test_features_counted_from_0_are_refused_with_the_remedy(data: Path) -> None:
    data.write_text("0 qid:1 0:0.5\n")

    with pytest.raises(InputError, match="zero_based=False"):
        read_letor(data)


@pytest.mark.shared
def test_the_example_of_lightgbm_is_read(shared_data: Path) -> None:
    read = read_letor(shared_data / "rank" / "lightgbm_lambdarank" / "rank.train")

    assert read.features.shape == (3005, 300)
    assert len(read.query_ids) == 201
    assert read.labels.max() == 4


@pytest.mark.parametrize("name", ["", ".", "..", "/"])
def test_a_folder_has_no_sizes_beside_it(name: str) -> None:
    assert sizes_file(Path(name)) is None
