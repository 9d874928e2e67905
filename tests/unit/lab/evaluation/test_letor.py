"""Tests for `forebear_lab.evaluation.letor`."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from forebear.errors import InputError
from forebear_lab.evaluation import files
from forebear_lab.evaluation.letor import (
    LetorData,
    RanklibModel,
    read_documents,
    read_large_letor,
    read_letor,
    read_letor_by_line,
    read_ranklib_model,
    sizes_file,
    write_letor,
    write_ranklib_model,
)

Reader = Callable[[Path], LetorData | None]
numbers = st.floats(-1e6, 1e6) | st.sampled_from([0.0, 1.0, 0.1, 1e-300, 123456789.123])
LINES = "0 1:0.5\n1 2:1\n2 1:0.25\n"


@st.composite
def letor_data(draw: st.DrawFn) -> LetorData:
    counts = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    rows, width = sum(counts), draw(st.integers(1, 5))
    return LetorData(
        features=draw(arrays.arrays(np.float64, (rows, width), elements=numbers)),
        labels=draw(arrays.arrays(np.int64, rows, elements=st.integers(0, 4))),
        offsets=np.cumsum([0, *counts]),
        query_ids=tuple(f"q{number}" for number in range(len(counts))),
    )


def assert_equal(actual: LetorData, expected: LetorData) -> None:
    np.testing.assert_array_equal(actual.features, expected.features)
    np.testing.assert_array_equal(actual.labels, expected.labels)
    np.testing.assert_array_equal(actual.offsets, expected.offsets)
    assert actual.query_ids == expected.query_ids


@given(data=letor_data())
@settings(max_examples=40, deadline=None)
def test_data_that_were_written_are_read_back_both_ways(
    tmp_path_factory: pytest.TempPathFactory, data: LetorData
) -> None:
    path = tmp_path_factory.mktemp("letor") / "data.txt.gz"

    write_letor(data, path)

    assert_equal(read_letor_by_line(path), data)
    fast = read_large_letor(path)
    if fast is not None:  # numbers that take care are left to the other reader
        assert_equal(fast, data)


@pytest.mark.parametrize("read", [read_letor_by_line, read_large_letor])
def test_remarks_blank_lines_and_missing_features_are_understood(
    tmp_path: Path, read: Reader
) -> None:
    path = tmp_path / "data.txt"
    path.write_text("# made up\n2 qid:10 1:0.5 3:-2#doc 7\n\n0\tqid:10  2:1e1 # doc 8\r\n1 qid:x\n")

    data = read(path)

    assert data is not None
    assert data.features.tolist() == [[0.5, 0, -2], [0, 10, 0], [0, 0, 0]]
    assert data.labels.tolist() == [2, 0, 1]
    assert data.offsets.tolist() == [0, 2, 3]
    assert data.query_ids == ("10", "x")


def test_features_in_any_order_are_left_to_the_reader_by_line(tmp_path: Path) -> None:
    path = tmp_path / "data.txt"
    path.write_text("1 qid:1 2:5 1:4\n")

    assert read_large_letor(path) is None
    assert read_letor_by_line(path).features.tolist() == [[4, 5]]


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1", "expected a line `label qid:QUERY number:value ...`; found '1'"),
        ("1 1:0.5", "expected a line `label qid:QUERY number:value ...`; found '1 1:0.5'"),
        ("1 qid: 1:0.5", "expected a line `label qid:QUERY"),
        ("-1 qid:2 1:0.5", "expected a whole number from 0 as the label; found '-1'"),
        ("0.5 qid:2 1:0.5", "expected a whole number from 0 as the label; found '0.5'"),
        ("nan qid:2 1:0.5", "expected a whole number from 0 as the label; found 'nan'"),
        ("1 qid:2 0:0.5", "expected a feature `number:value`, the number from 1"),
        ("1 qid:2 200000:0.5", "expected a feature `number:value`, the number from 1"),
        ("1 qid:2 x:0.5", "expected a feature `number:value`, the number from 1"),
        ("1 qid:2 1", "expected a finite number as feature 1; found '1'"),
        ("1 qid:2 1:high", "expected a finite number as feature 1; found '1:high'"),
        ("1 qid:2 1:inf", "expected a finite number as feature 1; found '1:inf'"),
        ("1 qid:2 1:1 1:2", "expected each feature once; found '1:1 1:2'"),
        ("1 qid:2 1:1\n0 qid:1 1:1", "expected the lines of query '1' in one place"),
    ],
)
def test_a_malformed_line_is_refused_with_its_place_however_large_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: bool, line: str, message: str
) -> None:
    monkeypatch.setattr(files, "LARGE_BYTES", 0 if large else 10**9)
    path = tmp_path / "data.txt"
    path.write_text(f"1 qid:1 1:0.5\n{line}\n")

    with pytest.raises(InputError, match=re.escape(message)) as refused:
        read_letor(path)

    assert f"data.txt, line {2 + line.count(chr(10))}: " in refused.value.message


def test_a_query_of_two_words_cannot_be_written(tmp_path: Path) -> None:
    data = LetorData(
        features=np.zeros((1, 1)),
        labels=np.zeros(1, np.int64),
        offsets=np.array([0, 1]),
        query_ids=("two words",),
    )

    with pytest.raises(InputError, match="cannot be in a LETOR file"):
        write_letor(data, tmp_path / "data.txt")


@pytest.mark.parametrize(
    ("labels", "offsets", "message"),
    [(3, [0, 2], "do not fit 3 labels"), (2, [0, 1], "do not divide 2 rows into 1 queries")],
)
def test_arrays_that_do_not_fit_are_refused(labels: int, offsets: list[int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        LetorData(
            features=np.zeros((2, 1)),
            labels=np.zeros(labels, np.int64),
            offsets=np.array(offsets),
            query_ids=("q",),
        )


words = st.text(st.characters(codec="ascii", categories=["L"]), min_size=1, max_size=8)
models = st.builds(
    RanklibModel,
    weights=st.dictionaries(
        st.integers(1, 300), st.floats(allow_nan=False, allow_infinity=False), min_size=1
    ),
    settings=st.dictionaries(words, words, max_size=3),
)


@given(model=models)
@settings(max_examples=40)
def test_a_model_that_was_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, model: RanklibModel
) -> None:
    path = tmp_path_factory.mktemp("models") / "model.txt"

    write_ranklib_model(model, path)

    assert read_ranklib_model(path) == model


def test_a_model_as_ranklib_writes_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "model.txt"
    path.write_text(
        "## Coordinate Ascent\n## Restart = 5\n## Regularized = false\n\n1:0.25 2:-0.5 3:0.25"
    )

    model = read_ranklib_model(path)

    assert model.weights == {1: 0.25, 2: -0.5, 3: 0.25}
    assert model.settings == {"Restart": "5", "Regularized": "false"}
    assert model.score({1: 2.0, 3: 4.0}) == 1.5


def test_feature_0_is_a_constant() -> None:
    model = RanklibModel(learner="Linear Regression", weights={0: 1.5, 1: 2.0})

    assert model.score({1: 1.0}) == 3.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a line of weights `1:weight 2:weight ...`; found none"),
        ("## Coordinate Ascent\n## Restart = 5\n", "expected a line of weights"),
        ("1:0.5\n", "line 1: expected `## Coordinate Ascent` as the first line"),
        ("## LambdaMART\n", "line 1: expected `## Coordinate Ascent` as the first line"),
        (
            "## Coordinate Ascent\n1:0.5 x\n",
            "line 2: expected each feature once as `number:weight`",
        ),
        ("## Coordinate Ascent\n1:0.5 1:1\n", "line 2: expected each feature once"),
        ("## Coordinate Ascent\n1:nan\n", "line 2: expected each feature once"),
    ],
)
def test_what_is_no_linear_model_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "model.txt"
    path.write_text(text)

    with pytest.raises(InputError, match=re.escape(message)):
        read_ranklib_model(path)


@pytest.mark.parametrize(
    ("weights", "learner", "message"),
    [
        ({}, "Coordinate Ascent", "without weights"),
        ({-1: 0.5}, "Coordinate Ascent", "weight 0.5 of feature -1"),
        ({1: float("inf")}, "Coordinate Ascent", "weight inf of feature 1"),
        ({1: 0.5}, "MART", "no linear model comes from 'MART'"),
    ],
)
def test_a_model_that_ranks_nothing_is_refused(
    weights: dict[int, float], learner: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        RanklibModel(weights=weights, learner=learner)


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


def read(path: Path, text: str) -> tuple[tuple[str, ...], ...]:
    path.write_text(text)
    return read_documents(path, ["7", "8"], np.array([0, 2, 3]))


def test_remarks_name_documents_and_numbers_replace_what_they_do_not_name(tmp_path: Path) -> None:
    text = "# a heading\n1 qid:7 1:1 #docid = GX1 inc = 1\n\n0 qid:7 1:0 # GX2\n1 qid:8 1:1 # a b\n"

    assert read(tmp_path / "data.txt", text) == (("GX1", "GX2"), ("8.1",))


def test_a_document_twice_in_a_query_is_refused_with_its_line(tmp_path: Path) -> None:
    text = "1 qid:7 1:1 # GX1\n0 qid:7 1:0 # GX1\n1 qid:8 1:1 # GX1\n"

    with pytest.raises(InputError, match=r"line 2: expected another document than in line 1"):
        read(tmp_path / "data.txt", text)
