"""Tests for `forebear_lab.kernels.lines`: NDCG at every border, against evaluating each step."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from forebear.kernels.ndcg import ideal_dcgs, summed_discounts
from forebear_lab.evaluation.measures.ndcg import expected_ndcg
from forebear_lab.kernels.lines import (
    Borders,
    binary_line,
    choose_border,
    move_records,
    ranked_ndcg,
    real_line,
)

seeds = st.integers(0, 2**32 - 1)
LOW, WIDTH, COUNT = -1.23, 0.1171, 21  # no border is a difference of the scores below


class Lists:
    """Random ranked lists of up to 10 records; few distinct scores, so that ties are common."""

    def __init__(self, seed: int, *, binary: bool) -> None:
        random = np.random.default_rng(seed)
        self.cutoff = int(random.integers(1, 12))
        self.offsets = np.concatenate(([0], np.cumsum(random.integers(0, 11, size=6))))
        count = int(self.offsets[-1])
        owners = np.repeat(np.arange(6), np.diff(self.offsets))
        records = random.integers(-4, 5, size=count) / 4
        labels = random.choice([0.0, 0.0, 0.0, 1.0, 2.0], size=count)
        self.column: NDArray[Any] = random.random(count) < 0.5
        if not binary:
            self.column = random.integers(-2, 3, size=count) / 2
        self.ranked = np.lexsort((-records, owners))
        self.scores, self.gains = records[self.ranked], labels[self.ranked]
        self.discounts = summed_discounts(10, cutoff=self.cutoff)
        self.ideals = ideal_dcgs(self.gains, self.offsets, self.discounts)
        self.queries = np.flatnonzero(self.ideals > 0)

    def line(self, kernel: Any) -> NDArray[np.float64]:
        values: NDArray[np.float64] = kernel(
            self.ranked,
            self.scores,
            self.gains,
            self.column,
            self.offsets,
            self.queries,
            self.ideals,
            self.discounts,
            Borders(LOW, WIDTH, COUNT),
        )
        return values

    def reference(self, step: float) -> float:
        """Return the sum of NDCG after a step by the scalar measure."""
        moved = self.scores + step * self.column[self.ranked]
        bounds = zip(self.offsets[:-1], self.offsets[1:], strict=True)
        return sum(
            expected_ndcg(moved[a:b].tolist(), self.gains[a:b].tolist(), cutoff=self.cutoff)
            for a, b in bounds
        )


@pytest.mark.parametrize(("kernel", "binary"), [(binary_line, True), (real_line, False)])
@given(seed=seeds)
@settings(deadline=None, max_examples=60)
def test_every_border_has_the_value_that_taking_its_step_gives(
    kernel: Any, binary: bool, seed: int
) -> None:
    lists = Lists(seed, binary=binary)

    values = lists.line(kernel)

    expected = [lists.reference(LOW + border * WIDTH) for border in range(COUNT)]
    np.testing.assert_allclose(values, expected, atol=1e-10)


@given(seeds)
@settings(deadline=None, max_examples=40)
def test_both_kernels_agree_where_features_are_binary(seed: int) -> None:
    lists = Lists(seed, binary=True)

    binary = lists.line(binary_line)

    lists.column = lists.column.astype(np.float64)
    np.testing.assert_allclose(lists.line(real_line), binary, atol=1e-10)


@given(seeds, st.booleans(), st.floats(-3, 3))
@settings(deadline=None, max_examples=60)
def test_moved_records_are_in_order_again_and_none_is_lost(
    seed: int, binary: bool, step: float
) -> None:
    lists = Lists(seed, binary=binary)
    moved = lists.scores + step * lists.column[lists.ranked]
    before = dict(zip(lists.ranked.tolist(), zip(moved, lists.gains, strict=True), strict=True))

    every = np.arange(6)
    move_records(lists.ranked, lists.scores, lists.gains, lists.column, lists.offsets, every, step)

    pairs = zip(lists.scores, lists.gains, strict=True)
    assert dict(zip(lists.ranked.tolist(), pairs, strict=True)) == before
    for first, last in zip(lists.offsets[:-1], lists.offsets[1:], strict=True):
        assert (np.diff(lists.scores[first:last]) <= 0).all()


@given(seeds)
@settings(deadline=None, max_examples=60)
def test_lists_in_order_have_the_value_of_the_reference(seed: int) -> None:
    lists = Lists(seed, binary=True)

    values = ranked_ndcg(
        lists.scores, lists.gains, lists.offsets, np.arange(6), lists.ideals, lists.discounts
    )

    assert values.sum() == pytest.approx(lists.reference(0.0), abs=1e-10)


def test_the_highest_border_is_chosen_with_its_gain() -> None:
    border, gain = choose_border(np.array([1.0, 2.0, 5.0, 3.0]), 0, 0, 4, 2.5)

    assert (border, gain) == (2, pytest.approx(2.5))


def test_of_a_row_of_equals_the_middle_is_taken() -> None:
    values = np.array([4.0, 1.0, 4.0, 4.0, 4.0, 4.0, 4.0, 1.0])

    assert choose_border(values, 0, 0, 8, 0.0)[0] == 4


def test_smoothing_prefers_high_ground_to_a_spike() -> None:
    values = np.array([0.0, 0, 9, 0, 0, 0, 0, 5, 5, 5, 5, 5])

    assert choose_border(values, 0, 0, 12, 0.0)[0] == 2
    assert choose_border(values, 1, 0, 12, 0.0)[0] == 9


def test_with_smoothing_the_borders_beside_no_step_gain_nothing() -> None:
    values = np.array([0.0, 1, 5, 6, 1, 0])

    assert choose_border(values, 1, 0, 6, 99.0)[1] == 0.0


def test_only_allowed_borders_are_chosen() -> None:
    values = np.array([9.0, 1.0, 2.0, 3.0])

    assert choose_border(values, 0, 1, 3, 0.0) == (2, pytest.approx(2.0))
