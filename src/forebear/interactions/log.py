"""What must a log of searches do, and under which name does it know a searcher?

Storage implements the log.  What identifies a searcher (an address, an account) is hashed with a
secret of the archive and never stored.  Without the secret, trying addresses until one fits is
impossible; whoever has the archive's file can do it, so the file must be protected.
"""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from forebear.interactions.events import Action, LoggedSearch, Vote
from forebear.interactions.votes import VoteFilter

COMMAND_LINE = "command line"  # who searches there
MAX_QUERIES = 1_000  # that are repeated at once


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
