"""Tests for `forebear.learning.rejections`."""

from dataclasses import replace

import numpy as np
import pytest
from tests.judged_searches import judged

from forebear.interactions.events import JudgedSearch
from forebear.learning.logged_rankings import rank_search
from forebear.learning.map_training import REJECTED
from forebear.learning.rejections import CHOICES, MIN_REJECTING, choose_rejected
from forebear.search.model import default_model

BASE = default_model()


def rejecting(count: int, *, helpful: bool) -> list[JudgedSearch]:
    """Return searches that rejected what is ranked above the right record, or what fits."""
    searches = []
    for both in judged(count, few=0):
        census = both.search.lists[0]
        # Baptisms, of which none is right, would only add luck.
        one = replace(both, search=replace(both.search, lists=(census,)))
        right = next(iter(one.attached))
        if helpful:
            order = rank_search(BASE, one).records
            wrong = order[: order.index(right)]
        else:
            fired = census.bits[:, census.clauses.index("birth.year.exact")]
            wrong = tuple(np.array(census.records)[fired].tolist())
        searches.append(replace(one, rejected=frozenset(wrong) - one.attached))
    return searches


def test_rejections_that_mislead_count_for_less() -> None:
    chosen = choose_rejected(rejecting(MIN_REJECTING, helpful=False), BASE, seed=1)

    assert chosen == min(CHOICES)


def test_rejections_that_lead_count_for_more_than_one() -> None:
    chosen = choose_rejected(rejecting(MIN_REJECTING, helpful=True), BASE, seed=1)

    assert chosen >= REJECTED


@pytest.mark.parametrize(
    "searches",
    [rejecting(MIN_REJECTING - 1, helpful=False), judged(MIN_REJECTING, few=0)],
    ids=["few searches", "nothing rejected"],
)
def test_too_few_searches_choose_nothing(searches: list[JudgedSearch]) -> None:
    assert choose_rejected(searches, BASE, seed=1) == REJECTED


def test_judgments_in_use_choose_nothing() -> None:
    used = [
        replace(one, sources=frozenset({"use"})) for one in rejecting(MIN_REJECTING, helpful=False)
    ]

    assert choose_rejected(used, BASE, seed=1) == REJECTED
