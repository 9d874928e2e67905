"""A page of results: some hits of the one list, and how many there are of each type."""

from dataclasses import dataclass

from forebear.search.fusion.shifted import FusedHit
from forebear.search.record_search.ranked_list import ListState, RankedList

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
class ResultPage:
    """What is shown at once."""

    hits: tuple[tuple[int, FusedHit], ...]  # with the rank of each, from 1
    counts: tuple[ListCount, ...]
    number: int
    size: int
    total: int

    @property
    def is_last(self) -> bool:
        """Say whether no page follows."""
        return self.number * self.size >= self.total


def make_page(
    fused: tuple[FusedHit, ...],
    lists: tuple[RankedList, ...],
    *,
    number: int = 1,
    size: int = DEFAULT_PAGE_SIZE,
) -> ResultPage:
    """Return one page of the fused list; pages are numbered from 1."""
    start = (number - 1) * size
    return ResultPage(
        hits=tuple(enumerate(fused[start : start + size], start=start + 1)),
        counts=tuple(
            ListCount(
                name=ranked.name,
                record_type=ranked.record_type,
                shown=len(ranked.hits),
                records=ranked.records,
                excluded=ranked.excluded,
                state=ranked.state,
                message=ranked.message,
            )
            for ranked in lists
        ),
        number=number,
        size=size,
        total=len(fused),
    )
