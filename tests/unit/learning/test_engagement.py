"""Tests for `forebear.learning.engagement`."""

import pytest

from forebear.interactions.log import FirstPage
from forebear.learning.engagement import measure_engagement

TYPE_OF = {"census": "census", "burials": "burial", "wills": "probate"}
SAME = ("census:1", "census:2", "census:3")
MIXED = ("census:1", "burials:1", "wills:1")


def pages(count: int, records: tuple[str, ...], start: str) -> list[FirstPage]:
    return [
        FirstPage(search=f"{start}{n}", searcher=f"u{n % 4}", records=records) for n in range(count)
    ]


def test_searches_are_divided_by_the_variety_of_their_first_page() -> None:
    shown = [*pages(12, MIXED, "m"), *pages(12, SAME, "s"), *pages(12, MIXED[:2] * 2, "t")]
    attachments = {f"m{n}": 2 for n in range(12)} | {"s0": 1}

    engagement = measure_engagement(shown, attachments, TYPE_OF, seed=1)

    least, _, most = engagement.terciles
    assert engagement.searches == 36
    assert (least.low, least.high, most.low, most.high) == pytest.approx((0, 0, 1, 1))
    assert (least.searches, least.searchers) == (12, 4)
    assert least.attachments == pytest.approx(1 / 12)
    assert most.attachments == most.attachments_low == 2.0
    assert least.attachments_low <= least.attachments <= least.attachments_high


def test_short_pages_and_deleted_collections_do_not_count_and_few_searches_say_nothing() -> None:
    shown = [*pages(29, MIXED, "m"), *pages(40, ("census:1",), "s"), *pages(9, ("old:1",) * 5, "o")]

    engagement = measure_engagement(shown, {}, TYPE_OF, seed=1)

    assert (engagement.searches, engagement.terciles) == (29, ())
    assert "who searches" in engagement.caveat
