"""Tests for `forebear_lab.kernels.ranking`, against sorting by key."""

from itertools import groupby, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forebear_lab.kernels.ranking import ranked_rows, tie_bounds

rows = st.tuples(st.sampled_from([0.0, 1.0, 2.5]), st.integers(0, 2), st.sampled_from("abcdef"))
queries = st.lists(st.lists(rows, max_size=9), max_size=4)


@pytest.mark.parametrize("by_grade", [False, True])
@pytest.mark.parametrize("by_name", [False, True])
@given(lists=queries)
@settings(deadline=None, max_examples=40)
def test_rows_are_in_the_order_of_sorting(
    by_grade: bool, by_name: bool, lists: list[list[tuple[float, int, str]]]
) -> None:
    flat = [row for one in lists for row in one]
    offsets = np.cumsum([0, *map(len, lists)])
    data = np.frombuffer("".join(name for *_, name in flat).encode() or b" ", np.uint8)
    places = np.arange(len(flat))

    order = ranked_rows(
        np.array([score for score, *_ in flat]),
        np.array([grade for _, grade, _ in flat], np.int64),
        data,
        np.stack((places, places + 1), axis=1),
        offsets,
        by_grade,
        by_name,
    )

    def key(row: int) -> tuple[float, int, int]:
        score, grade, name = flat[row]
        return -score, grade if by_grade else 0, -ord(name) if by_name else 0

    expected = [
        row for first, last in pairwise(offsets) for row in sorted(range(first, last), key=key)
    ]
    assert order.tolist() == expected


@given(lists=st.lists(st.lists(st.sampled_from([1.0, 2.0, 3.0]), max_size=8), max_size=4))
@settings(deadline=None)
def test_a_tied_row_shares_the_places_of_its_group(lists: list[list[float]]) -> None:
    falling = [sorted(one, reverse=True) for one in lists]
    offsets = np.cumsum([0, *map(len, falling)])

    begins, ends = tie_bounds(np.array([s for one in falling for s in one], float), offsets)

    expected = []
    for one in falling:
        start = 0
        for _, group in groupby(one):
            size = len(list(group))
            expected += [(start, start + size)] * size
            start += size
    assert list(zip(begins.tolist(), ends.tolist(), strict=True)) == expected
