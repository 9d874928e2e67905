"""A page of results: some hits of the one list, how many there are of each type, and what is next.

A rank is a place in the one list.  A record that is identical with a better one, or is of the
same event, is shown with it and leaves its rank empty, so ranks mean the same on every page.

A cursor is where in the list a reader is, so that the next page follows the last.  The order of
the list is total: by score, then by tie key.  A page takes the first records of each record type
that are left, so a cursor says of every type how many were taken and which was the last: its
evidence and its tie key.  Records that arrive before it are not shown to this reader, those after
it are, and none is shown twice or skipped, whatever the ordering.  The cursor also names the model,
whose scores it is a position in, and the search, so that it is not used for another.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from forebear.errors import InputError
from forebear.search.fusion import Ordering, in_order
from forebear.search.hits import Bits, Hit, Hits, join_hits
from forebear.search.record_search.ranked_list import ListState, RankedList
from forebear.search.results.duplicates import Duplicates

DEFAULT_PAGE_SIZE = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class LastShown:
    """How far a reader is in one record type."""

    taken: int
    evidence: int  # of the last record, in 64ths of a bit
    tie: int

    def is_before(self, hits: Hits) -> Bits:
        """Return of each hit whether it comes after the last one shown."""
        is_equal = hits.evidence == self.evidence
        after: Bits = (hits.evidence < self.evidence) | (is_equal & (hits.tie > self.tie))
        return after


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """A place in the result of one search."""

    query: str  # a digest of the query and its options
    model: str
    ordering: Ordering
    search_id: str = ""  # under which the search was logged, if it was
    rank: int = 0  # how many records were passed
    last: Mapping[str, LastShown] = field(default_factory=dict)  # by record type

    def rest(self, fused: Hits) -> Hits:
        """Return what of the one list is not shown yet, in its order."""
        left = fused.take(self._is_left(fused))
        taken = {record_type: last.taken for record_type, last in self.last.items()}
        undecayed = replace(left, decay=np.zeros_like(left.decay))
        return self.ordering.apply(in_order(undecayed), taken=taken)

    def whole(self, fused: Hits) -> Hits:
        """Return the one list as its reader has it: what was passed, then what is left.

        It is another one if records arrived before the cursor: they do not count for the type
        decay of what is left.
        """
        if not self.rank:
            return fused
        whole = join_hits([fused.take(~self._is_left(fused)), self.rest(fused)])
        return fused if np.array_equal(whole.tie, fused.tie) else whole

    def _is_left(self, fused: Hits) -> Bits:
        types = fused.record_types()
        is_left = np.ones(len(fused), np.bool_)
        for record_type, last in self.last.items():
            is_left &= (types != record_type) | last.is_before(fused)
        return is_left

    def pass_over(self, hits: Hits) -> "Cursor":
        """Return the cursor behind these hits, which come next."""
        last = dict(self.last)
        columns = hits.record_types(), hits.evidence, hits.tie
        for record_type, evidence, tie in zip(*(c.tolist() for c in columns), strict=True):
            before = last.get(record_type)
            last[record_type] = LastShown(
                taken=before.taken + 1 if before else 1, evidence=evidence, tie=tie
            )
        return replace(self, rank=self.rank + len(hits), last=last)

    def check(self, *, query: str) -> None:
        """Refuse to continue another search than the one the cursor is of."""
        if query != self.query:
            raise InputError(
                "the cursor belongs to another search",
                hint="repeat the search that gave the cursor, with the same facts and filters",
            )

    def __str__(self) -> str:
        value = [
            self.query,
            self.model,
            self.ordering.order,
            self.ordering.decay,
            self.search_id,
            self.rank,
            {name: [last.taken, last.evidence, last.tie] for name, last in self.last.items()},
        ]
        text = json.dumps(value, separators=(",", ":"))
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCount:
    """How much of a list there is, and how far to trust the number."""

    name: str
    record_type: str
    shown: int  # in the fused list
    records: int  # candidates in all
    excluded: int
    state: ListState
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPage:
    """What is shown at once."""

    hits: tuple[Hit, ...]
    ranks: tuple[int, ...]  # of the hits, from 1
    counts: tuple[ListCount, ...]
    number: int
    size: int
    total: int
    is_last: bool
    next_cursor: Cursor | None = None  # None on the last page


def make_page(
    fused: Hits,
    lists: Sequence[RankedList],
    *,
    number: int = 1,
    size: int = DEFAULT_PAGE_SIZE,
    cursor: Cursor | None = None,
    duplicates: Duplicates | None = None,
) -> ResultPage:
    """Return one page: that behind a cursor, if it has passed records, else by number from 1."""
    before = cursor.rank if cursor else 0
    rest = cursor.rest(fused) if cursor and before else fused
    start = 0 if before else (number - 1) * size
    is_last = start + size >= len(rest)
    shown = [
        (rank, hit)
        for rank, hit in enumerate(rest[start : start + size], start=before + start + 1)
        if duplicates is None or not duplicates.is_repeat(hit)
    ]
    return ResultPage(
        hits=tuple(hit for _, hit in shown),
        ranks=tuple(rank for rank, _ in shown),
        counts=tuple(count_list(ranked) for ranked in lists),
        number=before // size + 1 if before else number,
        size=size,
        total=len(fused),
        is_last=is_last,
        next_cursor=cursor.pass_over(rest[: start + size]) if cursor and not is_last else None,
    )


def count_list(ranked: RankedList) -> ListCount:
    """Return how much of a list there is."""
    return ListCount(
        name=ranked.name,
        record_type=ranked.record_type,
        shown=len(ranked.hits),
        records=ranked.records,
        excluded=ranked.excluded,
        state=ranked.state,
        message=ranked.message,
    )


def parse_cursor(text: str) -> Cursor:
    """Return the cursor that a text means."""
    try:
        padded = text + "=" * (-len(text) % 4)
        query, model, order, decay, search_id, rank, last = json.loads(
            base64.urlsafe_b64decode(padded.encode("ascii"))
        )
        return Cursor(
            query=_text(query),
            model=_text(model),
            ordering=Ordering(order=_order(order), decay=_whole(decay)),
            search_id=_text(search_id),
            rank=_whole(rank),
            last={
                _text(name): LastShown(
                    taken=_whole(taken), evidence=_whole(evidence), tie=_whole(tie)
                )
                for name, (taken, evidence, tie) in last.items()
            },
        )
    except (ValueError, TypeError, AttributeError, UnicodeError, binascii.Error, RecursionError):
        raise InputError(
            f"{text[:20]!r} is not a cursor", hint="use what the page before gave as `next`"
        ) from None


def query_digest(query: str, *options: object) -> str:
    """Return a short name of a query and its options."""
    text = json.dumps([query, *options])
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _order(value: Any) -> Any:
    if value not in ("score", "types"):
        raise ValueError
    return value
