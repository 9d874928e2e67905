"""Tests for `forebear.interactions.log`."""

import pytest

from forebear.errors import InputError
from forebear.interactions.events import ActionKind, Vote
from forebear.interactions.log import VoteFilter, VotesInMinute, pseudonym, summarize_votes


def test_a_pseudonym_is_the_same_for_the_same_searcher_and_archive_only() -> None:
    name = pseudonym("192.0.2.7", b"key")

    assert name == pseudonym("192.0.2.7", b"key")
    assert name != pseudonym("192.0.2.8", b"key")
    assert name != pseudonym("192.0.2.7", b"another key")
    assert "192" not in name
    assert pseudonym("", b"key") == ""


def vote(searcher: str, record: str, kind: ActionKind, at: str) -> Vote:
    return Vote(searcher=searcher, search_id="s1", record_key=record, kind=kind, rank=1, at=at)


def test_votes_are_counted_by_searcher_and_minute() -> None:
    summary = summarize_votes(
        [
            vote("u1", "c:1", "attach", "2026-11-18T08:05:01.000+00:00"),
            vote("u1", "c:2", "reject", "2026-11-18T08:05:59.000+00:00"),
            vote("u1", "c:3", "attach", "2026-11-18T08:06:00.000+00:00"),
            vote("u2", "c:1", "attach", "2026-11-18T08:05:00.000+00:00"),
        ]
    )

    assert (summary.votes, summary.searchers, summary.records) == (4, 2, 3)
    assert summary.minutes == (
        VotesInMinute(searcher="u1", minute="2026-11-18T08:05", attached=1, rejected=1),
        VotesInMinute(searcher="u1", minute="2026-11-18T08:06", attached=1, rejected=0),
        VotesInMinute(searcher="u2", minute="2026-11-18T08:05", attached=1, rejected=0),
    )


@pytest.mark.parametrize("date", ["", "yesterday", "2026-1", "2026-11-18T08:05:01", "2026%"])
def test_what_is_no_date_chooses_no_votes(date: str) -> None:
    with pytest.raises(InputError, match="is not a date"):
        VoteFilter(date=date)


@pytest.mark.parametrize("date", ["2026", "2026-11", "2026-11-18", "2026-11-18T08:05"])
def test_a_date_may_be_a_year_or_a_minute(date: str) -> None:
    assert VoteFilter(date=date).date == date
