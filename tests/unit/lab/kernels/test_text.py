"""Tests for `forebear_lab.kernels.text`: words against `str.split`, numbers against `float`."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forebear_lab.kernels.text import (
    Bounds,
    Bytes,
    compare_words,
    first_matches,
    parse_decimal,
    word_bounds,
    word_changes,
    word_hashes,
    word_integers,
    word_numbers,
)

words = st.text(st.sampled_from("ab1é"), min_size=1, max_size=3)
word_lists = st.lists(words, max_size=12)
spaces = st.sampled_from([" ", "\t", "  ", "\x0b", "\x1f"])


def joined(texts: list[str]) -> tuple[Bytes, Bounds]:
    parts = [text.encode() for text in texts]
    ends = np.cumsum([len(part) + 1 for part in parts], dtype=np.int64) - 1
    starts = ends - np.array([len(part) for part in parts], np.int64)
    data = np.frombuffer(b"".join(part + b" " for part in parts) or b" ", np.uint8)
    return data, np.stack((starts, ends), axis=1)


@given(st.lists(st.lists(words, min_size=2, max_size=2), max_size=6), spaces, st.booleans())
@settings(deadline=None)
def test_words_are_where_split_finds_them(rows: list[list[str]], space: str, end: bool) -> None:
    text = "\n".join(space.join(row) + space for row in rows) + ("\n\n" if end else "")
    data = np.frombuffer(text.encode() or b"\n", np.uint8)

    bounds, count = word_bounds(data, np.array([1, 0]), len(rows) + 2, 2)

    texts = [
        [data[slice(*bounds[slot, row])].tobytes().decode() for slot in (1, 0)]
        for row in range(count)
    ]
    assert texts == [line.split() for line in text.split("\n") if line.split()]


@given(st.lists(words, min_size=1, max_size=5).filter(lambda row: len(row) != 3))
@settings(deadline=None)
def test_a_line_of_another_number_of_words_is_reported(row: list[str]) -> None:
    data = np.frombuffer(f"a b c\n{' '.join(row)}\n".encode(), np.uint8)

    assert word_bounds(data, np.array([0, -1, -1]), 3, 1)[1] == -1


@given(words, words)
@settings(deadline=None)
def test_words_sort_as_text_does(one: str, other: str) -> None:
    data, bounds = joined([one, other])

    order = compare_words(data, *bounds[0], data, *bounds[1])

    assert (order > 0) - (order < 0) == (one > other) - (one < other)


@given(word_lists)
@settings(deadline=None)
def test_a_word_changes_where_it_is_not_the_one_before(texts: list[str]) -> None:
    data, bounds = joined(texts)

    expected = [n == 0 or texts[n] != texts[n - 1] for n in range(len(texts))]
    assert word_changes(data, bounds).tolist() == expected


@given(st.lists(st.tuples(word_lists, word_lists), max_size=4))
@settings(deadline=None)
def test_words_are_matched_within_their_group_only(
    groups: list[tuple[list[str], list[str]]],
) -> None:
    ours = [word for group, _ in groups for word in group]
    others = [word for _, group in groups for word in group]
    data, bounds = joined(ours)
    other_data, other_bounds = joined(others)
    offsets = np.cumsum([0, *(len(group) for group, _ in groups)])
    other_offsets = np.cumsum([0, *(len(group) for _, group in groups)])

    matches, distinct = first_matches(
        data,
        bounds,
        word_hashes(data, bounds),
        offsets,
        other_data,
        other_bounds,
        word_hashes(other_data, other_bounds),
        other_offsets,
    )

    expected = [
        first + group.index(word) if word in group else -1
        for first, (group, others) in zip(offsets, groups, strict=False)
        for word in others
    ]
    assert matches.tolist() == expected
    assert distinct == sum(len(set(group)) for group, _ in groups)


def test_words_of_one_hash_are_distinguished_by_their_bytes() -> None:
    data, bounds = joined(["x", "y", "x"])
    same = np.zeros(3, np.uint64)
    whole = np.array([0, 3])

    matches, distinct = first_matches(data, bounds, same, whole, data, bounds, same, whole)

    assert matches.tolist() == [0, 1, 0]
    assert distinct == 2


@given(st.lists(st.integers(-(10**17), 10**17).map(str) | st.sampled_from(["+3", "-0"])))
@settings(deadline=None)
def test_whole_numbers_are_read(texts: list[str]) -> None:
    numbers, unsure = word_integers(*joined(texts))

    assert numbers.tolist() == [int(text) for text in texts]
    assert not unsure.any()


def test_what_is_no_plain_whole_number_is_reported() -> None:
    texts = ["1.0", "1e3", "x", "-", "+", "1_0", "9" * 19]

    assert word_integers(*joined(texts))[1].all()


def test_numbers_that_take_care_are_reported() -> None:
    numbers, unsure = word_numbers(*joined(["0.5", "1_0", "-2e3", "nan"]))

    assert unsure.tolist() == [False, True, False, True]
    assert numbers[[0, 2]].tolist() == [0.5, -2000.0]


digits = st.text(st.sampled_from("0123456789"), max_size=12)
signs = st.sampled_from(["", "-", "+"])
finite = st.floats(allow_nan=False, allow_infinity=False)


def parse(text: str) -> tuple[float, bool]:
    data = np.frombuffer(text.encode() or b" ", np.uint8)
    return parse_decimal(data, 0, len(text.encode()))


def assert_float(text: str) -> None:
    value, exact = parse(text)
    if exact:
        expected = float(text)
        assert value == expected
        assert math.copysign(1, value) == math.copysign(1, expected)


@given(finite)
@settings(deadline=None)
def test_a_number_as_python_writes_it_is_exact_if_exact(number: float) -> None:
    assert_float(repr(number))


@given(signs, digits, digits, st.none() | st.integers(-30, 30))
@settings(deadline=None)
def test_a_number_in_digits_is_exact_if_exact(
    sign: str, whole: str, part: str, power: int | None
) -> None:
    text = f"{sign}{whole}.{part}" + ("" if power is None else f"e{power}")
    if whole or part:
        assert_float(text)
    else:
        assert not parse(text)[1]


@given(st.integers(2**53, 10**19 - 1), st.integers(-22, 22))
@settings(deadline=None)
def test_many_digits_near_a_rounding_boundary_are_exact_if_exact(number: int, power: int) -> None:
    assert_float(f"{number}e{power}")


@given(st.floats(1e-4, 1e11))
@settings(deadline=None)
def test_scores_of_usual_size_are_exact(number: float) -> None:
    assert parse(f"{number:.9g}")[1]
    assert parse(f"{number:.4f}")[1]


def test_nearly_all_numbers_in_full_precision_are_exact() -> None:
    numbers = np.random.default_rng(1).gamma(2, 3, 2000)

    exact = [parse(repr(float(number)))[1] for number in numbers]

    assert np.mean(exact) > 0.999


@pytest.mark.parametrize(
    "text",
    ["", "-", ".", "x", "nan", "inf", "1_0", "1.2.3", "1e", "1e+", "1e1000", "0x10", "1 ", "1é"],
)
def test_what_is_no_plain_number_is_not_exact(text: str) -> None:
    assert not parse(text)[1]
