"""Tests for `forebear.interactions.unmet`."""

import json
from typing import Any

import pytest

from forebear.interactions.events import LoggedSearch
from forebear.interactions.unmet import Inventory, Wish, find_missing, is_long_dead, report_searches
from forebear.search.query.person_query import query_from_json

LONG_DEAD: dict[str, Any] = {
    "given": "Mary",
    "surname": "Brown",
    "events": [{"kind": "birth", "date": "1851", "place": "Layham, Suffolk"}],
}
MAY_LIVE: dict[str, Any] = {
    "given": "Peregrine",
    "surname": "Zebulon",
    "events": [{"kind": "birth", "date": "1990", "place": "Layham, Suffolk"}],
}


def unmet(
    query: Any, *, searcher: str = "u1", relaxed: tuple[str, ...] = (), hits: int = 0
) -> LoggedSearch:
    return LoggedSearch(
        id="s1",
        at="2026-11-16T10:11:12.000+00:00",
        query=query if isinstance(query, str) else json.dumps(query),
        model="m",
        viewer="public",
        shown=tuple(f"c:{n}" for n in range(hits)),
        lists=(),
        searcher=searcher,
        relaxed=relaxed,
    )


def test_searches_in_vain_are_counted_with_what_they_asked_for() -> None:
    report = report_searches(
        [
            unmet(LONG_DEAD),
            unmet(LONG_DEAD, relaxed=("surname: may differ",), hits=2),
            unmet(MAY_LIVE, searcher="u2"),
        ],
        searches=10,
        year=2026,
    )

    assert (report.searches, report.nothing, report.relaxed, report.searchers) == (10, 2, 1, 2)
    assert report.places == (("Layham, Suffolk", 3),)
    assert report.decades == ((1850, 2), (1990, 1))
    assert [search.hits for search in report.unmet] == [0, 2, 0], "the latest first"
    assert report.unmet[1].relaxed == ("surname: may differ",)
    assert {search.day for search in report.unmet} == {"2026-11-16"}


def test_who_may_be_living_is_not_named() -> None:
    report = report_searches(
        [unmet(MAY_LIVE), unmet({"given": "Peregrine", "surname": "Zebulon"}), unmet(LONG_DEAD)],
        searches=3,
        year=2026,
    )

    assert [search.person for search in report.unmet] == ["Mary Brown", "", ""]
    assert "Zebulon" not in repr(report)
    assert "Peregrine" not in repr(report)
    assert report.unmet[2].facts == ("birth.place", "birth.year", "given", "surname")


@pytest.mark.parametrize(
    ("query", "is_dead"),
    [
        ({"surname": "Brown"}, False),
        ({"surname": "Brown", "events": [{"kind": "birth", "date": "1915"}]}, True),
        ({"surname": "Brown", "events": [{"kind": "birth", "date": "1916"}]}, False),
        ({"surname": "Brown", "events": [{"kind": "birth", "date": "aft 1800"}]}, False),
        ({"surname": "Brown", "age": {"at": "1881", "years": 3}}, True),
        # A father's dates say little of his child's.
        (
            {
                "surname": "Brown",
                "relatives": [{"kind": "father", "events": [{"kind": "birth", "date": "1800"}]}],
            },
            False,
        ),
    ],
)
def test_only_a_date_long_ago_says_that_nobody_can_be_living(query: Any, is_dead: bool) -> None:
    assert is_long_dead(query_from_json(query), 2026) == is_dead


def test_a_query_that_is_understood_no_more_is_still_counted() -> None:
    report = report_searches([unmet("{}"), unmet('{"color": "red"}')], searches=2, year=2026)

    assert report.nothing == 2
    assert [search.facts for search in report.unmet] == [(), ()]


INVENTORY = Inventory(
    records={"baptism": 90},
    years=((1780, 1849), (1841, 1911)),
    has_place=lambda place: place.levels[0] == "norwich",
)


def search_for_events(*events: dict[str, Any], query: str = "") -> LoggedSearch:
    text = query or json.dumps({"surname": "Hall", "events": events})
    return LoggedSearch(id="s", at="", query=text, model="m", viewer="owner", shown=(), lists=())


def test_types_places_and_decades_are_counted_once_a_search_with_what_there_is_of_them() -> None:
    norwich = {"kind": "birth", "date": "1845", "place": "Norwich, Norfolk"}
    york = {"kind": "death", "date": "1712", "place": "York"}

    missing = find_missing(
        [search_for_events(norwich, norwich), search_for_events(norwich, york)],
        INVENTORY,
        year=2026,
    )

    assert missing.searches == 2
    assert missing.record_types[:2] == (
        Wish(name="baptism", searches=2, held=90),
        Wish(name="birth", searches=2, held=0),
    )
    assert {wish.name for wish in missing.record_types[2:]} == {
        "burial",
        "death",
        "obituary",
        "probate",
    }
    assert missing.places == (
        Wish(name="Norwich, Norfolk", searches=2, held=1),
        Wish(name="York", searches=1, held=0),
    )
    assert missing.decades == (
        Wish(name="1840s", searches=2, held=2),
        Wish(name="1710s", searches=1, held=0),
    )
    assert missing.combinations[0] == ("birth", "Norwich, Norfolk", "1840s", 2)


def test_a_person_who_may_be_living_is_in_no_combination() -> None:
    search = search_for_events({"kind": "birth", "date": "1970", "place": "Norwich"})

    missing = find_missing([search], INVENTORY, year=2026)

    assert missing.combinations == ()
    assert [wish.name for wish in missing.decades] == ["1970s"]


def test_a_query_that_cannot_be_read_any_more_is_counted() -> None:
    missing = find_missing([search_for_events(query='{"color": "red"}')], INVENTORY, year=2026)

    assert (missing.searches, missing.unreadable, missing.places) == (1, 1, ())
