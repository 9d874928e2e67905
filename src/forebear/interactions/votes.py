"""Which anonymous votes are held back, and who made them when?

Anybody can vote where the owner allows it, as often as their address lets them.  So votes are
stored apart, and nothing is learned from one until the owner has released it.  The summary shows
what an owner needs to decide: how many votes each searcher made in which minute.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from forebear.errors import InputError
from forebear.interactions.events import Vote

MINUTE = len("2026-11-18T08:05")
_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2}(T[0-9]{2}(:[0-9]{2})?)?)?)?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteFilter:
    """Which votes are meant; without any condition, all."""

    searcher: str | None = None  # a pseudonym
    record: str | None = None  # a key
    date: str | None = None  # the beginning of the time in UTC: a year, a day, a minute

    def __post_init__(self) -> None:
        if self.date is not None and not _DATE.fullmatch(self.date):
            raise InputError(
                f"{self.date!r} is not a date",
                hint="write a day or a minute in UTC, such as 2026-11-18 or 2026-11-18T08:05",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class VotesInMinute:
    """How many votes a searcher made in a minute."""

    searcher: str
    minute: str  # UTC
    attached: int
    rejected: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VotesSummary:
    """How many votes there are, by whom and when."""

    votes: int
    searchers: int
    records: int
    minutes: tuple[VotesInMinute, ...]  # by searcher, then by time


def summarize_votes(votes: Iterable[Vote]) -> VotesSummary:
    """Count votes by searcher and minute."""
    counts: Counter[tuple[str, str, str]] = Counter()
    records = set()
    for vote in votes:
        counts[vote.searcher, vote.at[:MINUTE], vote.kind] += 1
        records.add(vote.record_key)
    minutes = sorted({(searcher, minute) for searcher, minute, _ in counts})
    return VotesSummary(
        votes=counts.total(),
        searchers=len({searcher for searcher, _ in minutes}),
        records=len(records),
        minutes=tuple(
            VotesInMinute(
                searcher=searcher,
                minute=minute,
                attached=counts[searcher, minute, "attach"],
                rejected=counts[searcher, minute, "reject"],
            )
            for searcher, minute in minutes
        ),
    )
