"""Tests for `forebear.search.results.likely`."""

from collections.abc import Callable

import pytest

from forebear.search.fusion.shifted import FusedHit
from forebear.search.results.likely import LEAST_CHANCE, less_likely_from
from forebear.search.results.page import make_page

Fused = Callable[..., tuple[FusedHit, ...]]


def bits(*values: float) -> dict[str, int]:
    return {f"census:{n}": round(value * 64) for n, value in enumerate(values)}


@pytest.mark.parametrize(
    ("scores", "line"),
    [
        ((3, 1, -4, -5), 4),  # a chance of 1 in 17, then one of 1 in 33
        ((3, 1, -5, -6), 3),
        ((-5, -6), 1),
        ((3, 1), None),
        ((), None),
    ],
)
def test_the_line_is_drawn_where_nothing_likely_follows(
    fused_of: Fused, scores: tuple[float, ...], line: int | None
) -> None:
    fused = fused_of(census=bits(*scores))

    found = less_likely_from(fused)

    assert found == line
    for rank, hit in enumerate(fused, start=1):
        if found is not None and rank >= found:
            assert hit.probability < LEAST_CHANCE


def test_the_line_has_the_same_rank_on_every_page(fused_of: Fused) -> None:
    fused = fused_of(census=bits(5, 4, 3, -6, -7, -8))

    lines = [make_page(fused, (), number=n, size=2).less_likely_from for n in (1, 2, 3)]

    assert lines == [4, 4, 4]
