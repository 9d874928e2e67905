"""What must a log of searches do, which votes does it hold back, and how does it name a searcher?

Storage implements the log.  What identifies a searcher (an address, an account) is hashed with a
secret of the archive and never stored.  Without the secret, trying addresses until one fits is
impossible; whoever has the archive's file can do it, so the file must be protected.

Anybody can vote where the owner allows it, as often as their address lets them.  So votes are
stored apart, and nothing is learned from one until the owner has released it.  The summary shows
what an owner needs to decide: how many votes each searcher made in which minute.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from forebear.errors import InputError
from forebear.interactions.events import Action, LoggedSearch, Vote

MINUTE = len("2026-11-18T08:05")
_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2}(T[0-9]{2}(:[0-9]{2})?)?)?)?", re.ASCII)
COMMAND_LINE = "command line"  # who searches there
MAX_QUERIES = 1_000  # that are repeated at once


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """What was removed from the log."""

    searches: int = 0
    judged: int = 0  # of these searches, those of which something was attached or rejected
    votes: int = 0  # votes held back that were removed with their searches
    bytes: int = 0
    left: int = 0  # bytes that the log still has


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstPage:
    """The first page of a logged search: what everybody who searched has seen."""

    search: str  # its id
    searcher: str  # a pseudonym; "" for a searcher without identity
    records: tuple[str, ...]


class InteractionLog(Protocol):
    """Stores searches and what was done with their results."""

    def patience(self, seconds: float) -> AbstractContextManager[None]:
        """Wait at most this long for others who write, instead of half a minute."""

    def close(self) -> None:
        """Close the log."""

    def add_search(self, search: LoggedSearch) -> None:
        """Log a search and its result; an entry of the same id is replaced."""

    def add_actions(self, actions: Sequence[Action]) -> None:
        """Log what was done."""

    def search(self, search_id: str) -> LoggedSearch | None:
        """Return a logged search."""

    def searches(self) -> Iterator[LoggedSearch]:
        """Yield every search, oldest first."""

    def searches_with_actions(self) -> Iterator[tuple[LoggedSearch, tuple[Action, ...]]]:
        """Yield every search with actions other than to open a record, oldest first."""

    def unmet_searches(self) -> Iterator[LoggedSearch]:
        """Yield every search that found nothing or was relaxed, oldest first."""

    def first_pages(self) -> Iterator[FirstPage]:
        """Yield the first page of every search, oldest first."""

    def count_searches(self) -> int:
        """Return how many searches are logged."""

    def queries_of(self, searchers: Collection[str]) -> list[str]:
        """Return the latest different queries of these searchers, as JSON, the newest first."""

    def key(self) -> bytes:
        """Return the archive's secret, created at the first use."""

    def actions_on(self, search_id: str) -> tuple[Action, ...]:
        """Return what was done with the results of a search, oldest first."""

    def add_vote(self, vote: Vote) -> None:
        """Hold back a vote; it replaces one of the same searcher on the same record."""

    def votes(self, which: VoteFilter) -> list[Vote]:
        """Return the votes that are held back, oldest first."""

    def votes_on(self, search_id: str) -> tuple[Vote, ...]:
        """Return the votes on the results of a search that are held back."""

    def release_votes(self, which: VoteFilter) -> int:
        """Turn votes into actions and return how many there were."""

    def discard_votes(self, which: VoteFilter) -> int:
        """Delete votes and return how many there were."""

    def size(self) -> int:
        """Return how many bytes the logged searches have."""

    def prune(
        self, *, before: str | None = None, max_bytes: int | None = None, judged: bool = False
    ) -> Iterator[Pruned]:
        """Remove searches older than a time, then the oldest until the log has this size.

        They are removed some at a time, so that others can write in between; what was removed
        so far is yielded after each time.
        Searches without votes go first, then those with votes.  Those of which something was
        attached or rejected stay, unless ``judged``.
        """


def pseudonym(identity: str, key: bytes) -> str:
    """Return the name of a searcher in the log; "" for one without identity.

    >>> pseudonym("192.0.2.7", b"secret")
    'ue6d049677a'
    """
    if not identity:
        return ""
    return "u" + hashlib.blake2b(identity.encode(), key=key, digest_size=5).hexdigest()
