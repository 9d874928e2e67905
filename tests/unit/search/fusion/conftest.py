"""Hits of lists that are only numbers."""

from collections.abc import Callable

import pytest

from forebear.search.fusion.shifted import FusedHit, ListMove, fuse
from forebear.search.record_search.ranked_list import Hit, RankedList

Scored = Callable[..., tuple[FusedHit, ...]]


@pytest.fixture(scope="session")
def fused_of() -> Scored:
    """Return how lists are fused: the scores of each record type, by its name."""

    def fused(**scores: list[int]) -> tuple[FusedHit, ...]:
        lists = [
            RankedList(
                name=name,
                record_type=name,
                hits=tuple(
                    Hit(record_key=f"{name}:{number}", position=0, score=score, fired=())
                    for number, score in enumerate(sorted(found, reverse=True))
                ),
            )
            for name, found in scores.items()
        ]
        return fuse(lists, {each.name: ListMove(shift=0) for each in lists})

    return fused
