"""Tests for `forebear.storage.sqlite.log`: votes, and what is pruned first."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from forebear.interactions.events import Action, ActionKind, LoggedSearch, Vote
from forebear.interactions.log import Pruned, VoteFilter
from forebear.storage.sqlite.log import SqliteInteractions
from forebear.storage.sqlite.schema import create_file

ALL = VoteFilter()


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteInteractions]:
    connection = create_file(tmp_path / "archive.forebear")
    yield SqliteInteractions(connection)
    connection.close()


def search(id_: str, at: str = "2026-01-01") -> LoggedSearch:
    return LoggedSearch(
        id=id_, at=at, query="{}", model="hand-set", viewer="public", shown=("c:1",), lists=()
    )


def vote(
    searcher: str = "u1",
    record: str = "c:1",
    kind: ActionKind = "attach",
    *,
    id_: str = "s1",
    at: str = "2026-11-18T08:05:01",
) -> Vote:
    return Vote(searcher=searcher, search_id=id_, record_key=record, kind=kind, rank=1, at=at)


def attach(log: SqliteInteractions, id_: str) -> None:
    action = Action(
        search_id=id_, record_key="c:1", kind="attach", rank=1, at="2026-01-01", source="link"
    )
    log.add_actions([action])


def prune(log: SqliteInteractions, **limits: object) -> Pruned:
    *_, last = log.prune(**limits)  # type: ignore[arg-type]
    return last


def test_a_later_vote_of_a_searcher_on_a_record_replaces_the_earlier(
    log: SqliteInteractions,
) -> None:
    log.add_vote(vote(id_="s1"))
    log.add_vote(vote(id_="s2", kind="reject"))
    log.add_vote(vote("u2"))

    assert log.votes(ALL) == [vote("u1", kind="reject", id_="s2"), vote("u2")]
    assert log.votes_on("s1") == (vote("u2"),)


def test_a_vote_is_an_action_only_when_it_is_released(log: SqliteInteractions) -> None:
    log.add_search(search("s1"))
    log.add_vote(vote())
    before = list(log.searches_with_actions())

    released = log.release_votes(ALL)

    assert before == []
    assert released == 1
    assert log.votes(ALL) == []
    assert [(a.record_key, a.kind, a.source) for a in log.actions_on("s1")] == [
        ("c:1", "attach", "vote")
    ]


@pytest.mark.parametrize(
    ("which", "left"),
    [
        (VoteFilter(searcher="u1"), ["u2"]),
        (VoteFilter(record="c:2"), ["u1", "u1"]),
        (VoteFilter(date="2026-11-18T08:05"), ["u1"]),
        (VoteFilter(searcher="u1", date="2026-11-19"), ["u1", "u2"]),
        (VoteFilter(searcher="u9"), ["u1", "u1", "u2"]),
        (ALL, []),
    ],
)
@pytest.mark.parametrize("command", ["release", "discard"])
def test_votes_are_chosen_by_searcher_record_and_date(
    which: VoteFilter, left: list[str], command: str, log: SqliteInteractions
) -> None:
    log.add_vote(vote("u1", "c:1"))
    log.add_vote(vote("u1", "c:3", at="2026-11-19T08:00:00"))
    log.add_vote(vote("u2", "c:2"))

    count = log.release_votes(which) if command == "release" else log.discard_votes(which)

    assert sorted(vote.searcher for vote in log.votes(ALL)) == left
    assert count == 3 - len(left)


def test_the_size_of_the_log_is_that_of_its_searches(log: SqliteInteractions) -> None:
    log.add_search(search("s1"))
    one = log.size()
    log.add_search(search("s1"))
    log.add_search(search("s2"))

    assert one > 0
    assert log.size() == 2 * one


def test_searches_of_which_nothing_was_judged_are_removed_first(log: SqliteInteractions) -> None:
    for day, id_ in enumerate(["judged", "voted", "old", "new"], start=1):
        log.add_search(search(id_, at=f"2026-01-{day:02}"))
    attach(log, "judged")
    log.add_vote(vote(id_="voted"))
    whole = log.size()

    removed = []
    for share in (0.8, 0.55, 0.3, 0.0):
        last = prune(log, max_bytes=round(whole * share))
        removed.append([id_ for id_ in ("old", "new", "voted", "judged") if not log.search(id_)])

    assert removed == [["old"], ["old", "new"], ["old", "new", "voted"], ["old", "new", "voted"]]
    assert last.searches == 0
    assert last.left == log.size() > 0
    assert log.votes(ALL) == []


def test_judged_searches_are_removed_only_when_they_are_named(log: SqliteInteractions) -> None:
    log.add_search(search("s1"))
    attach(log, "s1")

    first = prune(log, max_bytes=0)
    second = prune(log, max_bytes=0, judged=True)

    assert (first.searches, second.searches, second.judged, second.left) == (0, 1, 1, 0)
    assert log.actions_on("s1") == ()


def test_searches_older_than_a_time_are_removed(log: SqliteInteractions) -> None:
    for day in range(1, 10):
        log.add_search(search(f"s{day}", at=f"2026-01-{day:02}"))

    removed = prune(log, before="2026-01-04")

    assert removed.searches == 3
    assert log.count_searches() == 6
    assert log.search("s4") is not None
