"""A page of results: some hits of the one list, and how many there are of each type.

A rank is a place in the one list.  A record that is identical with a better one, or tells of the
same event, stands beneath it and leaves its own rank empty, so ranks mean the same on every page.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from forebear.search.fusion.shifted import FusedHit
from forebear.search.record_search.ranked_list import ListState, RankedList
from forebear.search.results.cursor import Cursor
from forebear.search.results.duplicates import Duplicates

DEFAULT_PAGE_SIZE = 20


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
class PageHit:
    """A hit at its rank, and where else the same event is found."""

    rank: int  # from 1
    hit: FusedHit
    also: tuple[str, ...] = ()  # keys of records


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPage:
    """What is shown at once."""

    hits: tuple[PageHit, ...]
    counts: tuple[ListCount, ...]
    number: int
    size: int
    total: int
    is_last: bool
    next_cursor: Cursor | None = None  # None on the last page


def make_page(
    fused: Sequence[FusedHit],
    lists: Sequence[RankedList],
    *,
    number: int = 1,
    size: int = DEFAULT_PAGE_SIZE,
    cursor: Cursor | None = None,
    duplicates: Duplicates | None = None,
) -> ResultPage:
    """Return one page: that behind a cursor, if it has passed records, else by number from 1."""
    before = cursor.rank if cursor else 0
    rest = cursor.rest(fused) if cursor and before else tuple(fused)
    start = 0 if before else (number - 1) * size
    window = rest[start : start + size]
    is_last = start + size >= len(rest)
    return ResultPage(
        hits=tuple(_page_hits(window, before + start + 1, duplicates)),
        counts=tuple(count_list(ranked) for ranked in lists),
        number=before // size + 1 if before else number,
        size=size,
        total=len(fused),
        is_last=is_last,
        next_cursor=cursor.pass_over(rest[: start + size]) if cursor and not is_last else None,
    )


def _page_hits(
    window: Sequence[FusedHit], first: int, duplicates: Duplicates | None
) -> list[PageHit]:
    shown = []
    for rank, hit in enumerate(window, start=first):
        if duplicates is None:
            shown.append(PageHit(rank=rank, hit=hit))
        elif not duplicates.is_repeat(hit):
            shown.append(PageHit(rank=rank, hit=hit, also=duplicates.also(hit)))
    return shown


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
