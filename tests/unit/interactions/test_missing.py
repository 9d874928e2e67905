"""Tests for `forebear.interactions.missing`."""

import json
from typing import Any

from forebear.interactions.events import LoggedSearch
from forebear.interactions.missing import Inventory, Wish, find_missing

INVENTORY = Inventory(
    records={"baptism": 90},
    years=((1780, 1849), (1841, 1911)),
    has_place=lambda place: place.levels[0] == "norwich",
)


def unmet(*events: dict[str, Any], query: str = "") -> LoggedSearch:
    text = query or json.dumps({"surname": "Hall", "events": events})
    return LoggedSearch(id="s", at="", query=text, model="m", viewer="owner", shown=(), lists=())


def test_types_places_and_decades_are_counted_once_a_search_with_what_there_is_of_them() -> None:
    norwich = {"kind": "birth", "date": "1845", "place": "Norwich, Norfolk"}
    york = {"kind": "death", "date": "1712", "place": "York"}

    missing = find_missing([unmet(norwich, norwich), unmet(norwich, york)], INVENTORY, year=2026)

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
    search = unmet({"kind": "birth", "date": "1970", "place": "Norwich"})

    missing = find_missing([search], INVENTORY, year=2026)

    assert missing.combinations == ()
    assert [wish.name for wish in missing.decades] == ["1970s"]


def test_a_query_that_cannot_be_read_any_more_is_counted() -> None:
    missing = find_missing([unmet(query='{"color": "red"}')], INVENTORY, year=2026)

    assert (missing.searches, missing.unreadable, missing.places) == (1, 1, ())
