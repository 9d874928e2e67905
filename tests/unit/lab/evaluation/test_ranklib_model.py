"""Tests for `forebear_lab.evaluation.ranklib_model`."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear_lab.evaluation.letor import RanklibModel, read_ranklib_model, write_ranklib_model

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
