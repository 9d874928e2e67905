"""Tests for `forebear.search.model`: a value on a grid, and the weights set by hand."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import ModelError
from forebear.records.collections import RECORD_TYPES
from forebear.search.expansion.catalog import load_catalog
from forebear.search.model import (
    DEFAULT,
    MAX_BITS,
    SHIPPED,
    UNITS_PER_BIT,
    Model,
    default_model,
    hand_set_model,
    hand_set_rows,
    model_from_json,
    shipped_model,
    to_units,
)

steps = st.integers(-MAX_BITS * UNITS_PER_BIT, MAX_BITS * UNITS_PER_BIT)
words = st.text(max_size=3)
models = st.builds(
    Model,
    name=words,
    weights=st.dictionaries(words, st.dictionaries(words, steps, max_size=3), max_size=3),
    shifts=st.dictionaries(words, steps, max_size=3),
    slopes=st.dictionaries(words, st.integers(1, MAX_BITS * UNITS_PER_BIT), max_size=3),
    conditions=st.dictionaries(words, st.dictionaries(words, steps, max_size=3), max_size=3),
    catalog=words,
    data=words,
    seed=st.none() | st.integers(),
    measures=st.dictionaries(words, st.floats(0, 1), max_size=3),
)


@given(models)
def test_a_model_is_the_same_after_a_trip_through_json(model: Model) -> None:
    assert model_from_json(model.to_json()) == model


def test_weights_stand_in_json_in_bits() -> None:
    model = Model(name="m", weights={"census": {"self.sex.match": 16}}, shifts={"census": -640})

    value = json.loads(model.to_json())

    assert value["weights"] == {"census": {"self.sex.match": 0.25}}
    assert value["shifts"] == {"census": -10.0}


def test_a_model_of_a_time_before_slopes_and_conditions_has_none() -> None:
    model = Model(name="m", weights={}, shifts={"census": 7})
    value = json.loads(model.to_json())
    del value["slopes"], value["conditions"]

    assert model_from_json(json.dumps(value)) == model


@pytest.mark.parametrize("slope", [0, -1, 0.001])
def test_a_slope_that_would_turn_or_level_a_list_is_refused(slope: float) -> None:
    value = json.loads(Model(name="m", weights={}, shifts={}).to_json())

    with pytest.raises(ModelError, match="the slope of 'census'"):
        model_from_json(json.dumps({**value, "slopes": {"census": slope}}))


def test_what_is_not_a_number_is_no_weight() -> None:
    with pytest.raises(ValueError, match="NaN"):
        to_units(float("nan"))


@given(st.floats(allow_nan=False, allow_infinity=True))
def test_the_grid_has_64_steps_a_bit_and_ends_at_16(bits: float) -> None:
    rounded = to_units(bits)

    assert -MAX_BITS * UNITS_PER_BIT <= rounded <= MAX_BITS * UNITS_PER_BIT
    if abs(bits) <= MAX_BITS:
        assert abs(rounded / UNITS_PER_BIT - bits) <= 1 / (2 * UNITS_PER_BIT)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '"model"',
        "{}",
        '{"name": "m"}',
        Model(name="m", weights={}, shifts={}).to_json().replace('"shifts": {}', '"shifts": []'),
        Model(name="m", weights={}, shifts={"a": 0}).to_json().replace("0.0", '"much"'),
        Model(name="m", weights={}, shifts={"a": 0}).to_json().replace("0.0", "NaN"),
    ],
)
def test_what_is_no_model_is_refused(text: str) -> None:
    with pytest.raises(ModelError, match=r"^not a model: "):
        model_from_json(text)


def test_a_clause_the_model_never_saw_weighs_nothing() -> None:
    model = Model(name="m", weights={"census": {"a": 5}}, shifts={"census": 7, "my list": 9})

    assert model.weight("census", "a") == 5
    assert model.weight("census", "b") == 0
    assert model.weight("burial", "a") == 0
    assert model.shift("my list", "census") == 9
    assert model.shift("another list", "census") == 7
    assert model.shift("another list", "burial") == 0


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("record_type", RECORD_TYPES)
def test_every_clause_has_a_weight_of_its_polarity(record_type: str, name: str) -> None:
    model = shipped_model(name)

    weights = model.weights[record_type]
    for row in load_catalog()[record_type]:
        if name == DEFAULT or row.clause in weights:  # newer clauses are not in the hand-set ones
            assert weights[row.clause] * row.polarity > 0, row.clause
    assert model.shift(record_type, record_type) < 0


def test_the_default_weights_are_of_clauses_that_exist_and_differ_by_type() -> None:
    model = default_model()

    for record_type, rows in load_catalog().items():
        assert model.weights[record_type].keys() == {row.clause for row in rows}
    by_type = {model.weight(name, "self.surname.exact") for name in RECORD_TYPES}
    assert len(by_type) > 1


def test_every_hand_set_weight_is_of_a_clause_that_exists_and_has_its_reason() -> None:
    rows = hand_set_rows()
    clauses = {row.clause for rows in load_catalog().values() for row in rows}

    assert len({(row["record_type"], row["clause"]) for row in rows}) == len(rows)
    for row in rows:
        assert row["clause"] in clauses | {"shift"}, row
        assert row["record_type"] in {"*", *RECORD_TYPES}
        assert len(row["reason"].split()) > 1, row
        assert to_units(float(row["bits"])) == float(row["bits"]) * UNITS_PER_BIT, row


def test_a_match_weighs_more_than_a_gap_and_a_gap_more_than_a_conflict() -> None:
    model = hand_set_model()

    for record_type, rows in load_catalog().items():
        facts: dict[str, int] = {}
        for row in rows:
            if row.kind == "term" and row.polarity > 0:
                fact = row.clause.rpartition(".")[0]
                facts[fact] = facts.get(fact, 0) + model.weight(record_type, row.clause)
        for row in rows:
            fact, _, level = row.clause.rpartition(".")
            if level == "missing" and f"{fact}.conflict" in {other.clause for other in rows}:
                gap = model.weight(record_type, row.clause)
                conflict = model.weight(record_type, f"{fact}.conflict")
                assert conflict < gap < 0 < facts[fact], row.clause
