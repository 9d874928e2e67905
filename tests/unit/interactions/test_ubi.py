"""Tests for `forebear.interactions.ubi`: a log for other programs, and back."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.interactions.events import Action, ActionKind, LoggedList, LoggedSearch
from forebear.interactions.ubi import (
    UbiQuery,
    event_line,
    query_line,
    read_event,
    read_lines,
    read_search,
)

CENSUS = LoggedList(
    name="census",
    record_type="census",
    state="narrowed",
    clauses=("self.surname.exact", "self.given.exact", "self.sex.conflict"),
    records=("c:1", "c:2"),
    scores=(160, -300),
    bits=np.array([[1, 1, 0], [0, 1, 1]], dtype=np.bool_),
    hashes=("0123456789ab", "ba9876543210", "000000000000"),
    collections=("c",),
    gated=7,
    years=(1851, None),
)
SEARCH = LoggedSearch(
    id="s1",
    at="2026-11-18T08:05:01.000+00:00",
    query=json.dumps({"given": "Zoë", "surname": "Green"}),
    model="v3",
    viewer="public",
    shown=("c:1", "c:2"),
    lists=(CENSUS,),
    searcher="u7",
    options={"top": 100},
    relaxed=("birth year within 5",),
    change=12,
    catalog="abc",
    none=0.25,
)


def action(record: str, kind: ActionKind, rank: int | None = None) -> Action:
    return Action(
        search_id="s1",
        record_key=record,
        kind=kind,
        rank=rank,
        at="2026-11-18T08:06:00.000+00:00",
        reason="same wife",
        source="complete",
    )


def through_json(value: dict[str, Any]) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(value))
    return copy


def test_a_search_comes_back_as_it_was_logged() -> None:
    back = read_search(through_json(query_line(SEARCH)))

    assert isinstance(back, LoggedSearch)
    (census,) = back.lists
    np.testing.assert_array_equal(census.bits, CENSUS.bits)
    for name in LoggedList.__dataclass_fields__:
        if name != "bits":
            assert getattr(census, name) == getattr(CENSUS, name), name
    for name in LoggedSearch.__dataclass_fields__:
        if name != "lists":
            assert getattr(back, name) == getattr(SEARCH, name), name


@pytest.mark.parametrize(
    "done",
    [
        action("c:1", "open", 1),
        action("c:2", "attach", 2),
        action("c:9", "reject"),
        action("c:1", "maybe", 1),
        action("c:2", "detach", 2),
        action("c:2", "undo", 2),
        action("", "complete"),
        action("", "undo"),
    ],
    ids=lambda done: f"{done.kind} {done.record_key}",
)
def test_an_action_comes_back_as_it_was_logged(done: Action) -> None:
    assert read_event(through_json(event_line(done, SEARCH))) == done


def test_lines_have_what_the_schema_requires() -> None:
    query, event = query_line(SEARCH), event_line(action("c:9", "attach"), SEARCH)

    assert "given names Zoë" in query["user_query"]
    assert query["client_id"] == event["client_id"] == "u7"
    assert query["query_response_hit_ids"] == ["c:1", "c:2"]
    assert event["action_name"] == "attached"
    assert event["event_attributes"]["object"]["object_id"] == "c:9"
    assert event["event_attributes"]["position"] == {"ordinal": 0}
    assert event["event_attributes"]["model"] == "v3"


def test_a_query_of_another_program_has_its_words_only() -> None:
    value = {"query_id": "q", "user_query": "Zoë Green", "timestamp": "2026-01-02T03:04:05Z"}

    assert read_search(value) == UbiQuery(
        id="q", at="2026-01-02T03:04:05.000+00:00", client="", words="Zoë Green"
    )


@pytest.mark.parametrize("name", ["click", "click_through", "view"])
def test_a_click_of_another_program_opens_a_record(name: str) -> None:
    event = {
        "action_name": name,
        "query_id": "q",
        "timestamp": "2026-01-02T03:04:05",
        "event_attributes": {"object": {"object_id": "c:1"}, "position": {"ordinal": 3}},
    }

    read = read_event(event)

    assert read is not None
    assert (read.kind, read.rank, read.source) == ("open", 3, "use")
    assert read_event({**event, "action_name": "purchase"}) is None
    assert read_event({**event, "event_attributes": {}}) is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"query_id": ""}, "query_id is ''"),
        ({"timestamp": "soon"}, "timestamp is 'soon'"),
        ({"query_attributes": {"lists": []}}, "'query' is missing"),
        ({"query_attributes": {"lists": [], "query": "{}"}}, "not UBI 1.3.0"),
    ],
)
def test_a_line_that_is_not_ubi_is_named(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    lines = [query_line(SEARCH), {**query_line(SEARCH), **change}]
    path = tmp_path / "queries"
    path.write_text("\n".join(map(json.dumps, lines)))

    with pytest.raises(InputError, match=f"queries, line 2: .*{message}"):
        list(read_lines(path, read_search))


@pytest.mark.parametrize("change", [{"hashes": ["12"] * 3}, {"scores": [1]}, {"bits": "AA=="}])
def test_a_list_that_does_not_fit_together_is_refused(
    change: dict[str, Any], tmp_path: Path
) -> None:
    line = through_json(query_line(SEARCH))
    line["query_attributes"]["lists"][0].update(change)
    path = tmp_path / "queries"
    path.write_text(json.dumps(line))

    with pytest.raises(InputError, match="line 1: not UBI"):
        list(read_lines(path, read_search))
