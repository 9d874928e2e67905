"""Tests for `forebear_lab.kernels.decimals`: what is known is what `float` says."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forebear_lab.kernels.text import parse_decimal

digits = st.text(st.sampled_from("0123456789"), max_size=12)
signs = st.sampled_from(["", "-", "+"])
finite = st.floats(allow_nan=False, allow_infinity=False)


def parse(text: str) -> tuple[float, bool]:
    data = np.frombuffer(text.encode() or b" ", np.uint8)
    return parse_decimal(data, 0, len(text.encode()))


def assert_float(text: str) -> None:
    value, known = parse(text)
    if known:
        expected = float(text)
        assert value == expected
        assert math.copysign(1, value) == math.copysign(1, expected)


@given(finite)
@settings(deadline=None)
def test_a_number_as_python_writes_it_is_exact_if_known(number: float) -> None:
    assert_float(repr(number))


@given(signs, digits, digits, st.none() | st.integers(-30, 30))
@settings(deadline=None)
def test_a_number_in_digits_is_exact_if_known(
    sign: str, whole: str, part: str, power: int | None
) -> None:
    text = f"{sign}{whole}.{part}" + ("" if power is None else f"e{power}")
    if whole or part:
        assert_float(text)
    else:
        assert not parse(text)[1]


@given(st.integers(2**53, 10**19 - 1), st.integers(-22, 22))
@settings(deadline=None)
def test_many_digits_near_a_rounding_boundary_are_exact_if_known(digits: int, power: int) -> None:
    assert_float(f"{digits}e{power}")


@given(st.floats(1e-4, 1e11))
@settings(deadline=None)
def test_scores_of_usual_size_are_known(number: float) -> None:
    assert parse(f"{number:.9g}")[1]
    assert parse(f"{number:.4f}")[1]


def test_nearly_all_numbers_in_full_precision_are_known() -> None:
    numbers = np.random.default_rng(1).gamma(2, 3, 2000)

    known = [parse(repr(float(number)))[1] for number in numbers]

    assert np.mean(known) > 0.999


@pytest.mark.parametrize(
    "text",
    ["", "-", ".", "x", "nan", "inf", "1_0", "1.2.3", "1e", "1e+", "1e1000", "0x10", "1 ", "1é"],
)
def test_what_is_no_plain_number_is_not_known(text: str) -> None:
    assert not parse(text)[1]
