"""Tests for `forebear.search.expansion.contradictions`: dates that cannot be true together."""

from typing import Any

import pytest

from forebear.search.expansion.contradictions import contradictions, without_contradictions
from forebear.search.query.person_query import PersonQuery, query_from_json


def query(**dates: str) -> PersonQuery:
    events: list[dict[str, Any]] = [{"kind": kind, "date": date} for kind, date in dates.items()]
    return query_from_json({"given": "Mary", "events": events})


@pytest.mark.parametrize(
    ("dates", "ignored"),
    [
        ({"birth": "1851", "death": "1840"}, ["death 1840 (it lies before the birth)"]),
        ({"birth": "1851", "death": "1911"}, []),
        ({"birth": "1851", "baptism": "1850"}, []),
        ({"birth": "abt 1851", "marriage": "1848"}, []),
        ({"birth": "bef 1851", "death": "1800"}, []),
        ({"birth": "1851", "death": "aft 1840"}, []),
        ({"death": "1840"}, []),
    ],
)
def test_what_lies_before_the_birth_is_ignored_and_said_to_be(
    dates: dict[str, str], ignored: list[str]
) -> None:
    asked = query(**dates)

    assert list(contradictions(asked)) == ignored
    kept = [event for event in without_contradictions(asked).events if event.date]
    assert len(kept) == len(dates) - len(ignored)
