"""What does a search return to its caller?

A `Result` is a sequence of `Hit` objects, best first.  Hits, and the words that describe them, are
created for the rows that are shown; the rest of a result stays what the searcher returned.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.search import hits
from forebear.search.model import UNITS_PER_BIT
from forebear.search.query.describe import QueryFact, describe_query
from forebear.search.query.person_query import PersonQuery
from forebear.search.results.describe import Description, describe
from forebear.search.results.duplicates import Duplicates
from forebear.search.results.page import (
    DEFAULT_PAGE_SIZE,
    Cursor,
    ListCount,
    count_list,
    make_page,
    parse_cursor,
    query_digest,
)
from forebear.search.results.probability import less_likely_from, shown_probability
from forebear.search.results.rounds import LearnedName, Relaxation
from forebear.search.results.trace import Stage
from forebear.search.search_result import SearchOptions, SearchResult

# A search must be quick to start: what is asked after it is loaded when it is asked.
if TYPE_CHECKING:
    from forebear.archive.searching import SearchableArchive
    from forebear.search.facets import Facet
    from forebear.search.results.explain import Explanation
    from forebear.search.results.missing import MissingReason


class Hit:
    """A record in which the person may appear, at its rank."""

    def __init__(self, result: "Result", rank: int, row: hits.Hit) -> None:
        self._result = result
        self._row = row
        self.rank = rank  # from 1

    @property
    def record(self) -> str:
        """The key of the record: COLLECTION:ID."""
        return self._row.record_key

    @property
    def position(self) -> int:
        """Which person on the record it is, from 0."""
        return self._row.position

    @property
    def record_type(self) -> str:
        """The type of the record, such as "baptism"."""
        return self._row.record_type

    @property
    def probability(self) -> float:
        """How likely it is that this is the person, from 0 to 1; it never rises down the list."""
        return self._result.search_result.probabilities[self.record]

    @property
    def shown_probability(self) -> float | None:
        """The probability in steps of five points; None if under 5 %, or if none are shown."""
        return None if self._result.suggestion else shown_probability(self.probability)

    @property
    def score(self) -> float:
        """What the list is ordered by, in bits; `explain` says what it consists of."""
        return self._row.fused_score / UNITS_PER_BIT

    @cached_property
    def household(self) -> tuple[Record, ...]:
        """The record, and the others of its household after it, as the viewer may see them."""
        return self._result._household(self.record)

    @cached_property
    def description(self) -> Description:
        """The record in a few words, seen from this person."""
        return describe(self.household[0], self.position, self.household)

    @property
    def name(self) -> str:
        """The name of the person as the record has it."""
        return self.description.name

    @property
    def role(self) -> str:
        """What the person is on the record, such as "bride"."""
        return self.description.role

    @property
    def date(self) -> str:
        """The date of the record as it is written."""
        return self.description.date

    @property
    def place(self) -> str:
        """The place of the record as it is written."""
        return self.description.place

    @cached_property
    def also(self) -> tuple[str, ...]:
        """The keys of other records of the same event."""
        return self._result._duplicates.also(self._row)

    @cached_property
    def identical(self) -> tuple[str, ...]:
        """The keys of other records of its collection that say exactly the same."""
        return self._result._duplicates.identical(self._row)

    def explain(self) -> "Explanation":
        """Return why the record has its probability, in one row per fact, which add up."""
        return self._result.search_result.explain(self._row, self.household)

    def to_dict(self) -> dict[str, Any]:
        """Return the hit as JSON has it."""
        return {
            "rank": self.rank,
            "record": self.record,
            "record_type": self.record_type,
            "score": self.score,
            "probability": self.probability,
            "shown_probability": self.shown_probability,
            "name": self.name,
            "role": self.role,
            "date": self.date,
            "place": self.place,
            "relatives": list(self.description.relatives),
            "same_event": list(self.also),
            "identical": list(self.identical),
        }

    def __repr__(self) -> str:
        return f"<Hit {self.rank} {self.record} {self.probability:.0%}>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Some hits of a result; a record of the same event as a better one is not shown again.

    Neither is a record that is identical with a better one.
    """

    result: "Result"
    hits: tuple[Hit, ...]
    number: int  # from 1
    size: int
    is_last: bool
    next_cursor: Cursor | None  # where the next page begins; None on the last page
    less_likely_from: int | None  # the first rank of hits that are unlikely

    def to_dict(self) -> dict[str, Any]:
        """Return the page as JSON has it."""
        result = self.result
        return {
            "search": result.id,
            "model": result.model,
            "read_as": [asdict(fact) for fact in result.read_as],
            "page": self.number,
            "total": result.total,
            "results": [hit.to_dict() for hit in self.hits],
            "less_likely_from": self.less_likely_from,
            "suggestion": result.suggestion,
            "next": str(self.next_cursor) if self.next_cursor else None,
            "followed": [asdict(name) for name in result.followed],
            "relaxed": [{"fact": step.fact, "instead": step.words} for step in result.relaxed],
            "lists": [asdict(count) for count in result.lists],
            "unused": list(result.unused),
        }


class Result(Sequence[Hit]):
    """The records in which a person may appear, the best first."""

    def __init__(
        self,
        archive: "SearchableArchive",
        search_result: SearchResult,
        *,
        viewer: Viewer,
        search_id: str,
        change: int | None = None,
        trial: int | None = None,
    ) -> None:
        self._archive = archive
        self.search_result = search_result  # as the searcher returned it, list by list
        self.viewer = viewer  # who looked
        self.id = search_id  # by which `attach` and `reject` refer to the search
        self.change = change  # the counter of the archive's changes when it was searched
        self.trial = trial  # of two models that are interleaved; None for most searches

    @property
    def query(self) -> PersonQuery:
        """The query as it was understood."""
        return self.search_result.query

    @cached_property
    def read_as(self) -> tuple[QueryFact, ...]:
        """The facts of the query, one by one, as they were understood."""
        return describe_query(self.query)

    @property
    def model(self) -> str:
        """The version of the model that ranked the records; both of an interleaved result."""
        models = (self.search_result.model.name, self.search_result.challenger)
        return " and ".join(filter(None, models))

    @property
    def options(self) -> SearchOptions:
        """The options of the search."""
        return self.search_result.options

    @property
    def total(self) -> int:
        """How many records there are in the one list."""
        return len(self.search_result.fused)

    @cached_property
    def lists(self) -> tuple[ListCount, ...]:
        """What each ranked list contributed, and whether it is complete."""
        return tuple(count_list(ranked) for ranked in self.search_result.lists)

    @property
    def relaxed(self) -> tuple[Relaxation, ...]:
        """What was searched for less strictly, because little was found."""
        return self.search_result.relaxed

    @property
    def followed(self) -> tuple[LearnedName, ...]:
        """Names that records gave, and that were searched for too."""
        return self.search_result.followed

    @cached_property
    def suggestion(self) -> str:
        """Why no percentages are shown, and what to change in the query; "" if they are shown."""
        return self.search_result.suggestion

    @property
    def unused(self) -> tuple[str, ...]:
        """Facts of the query that made no difference."""
        return self.search_result.unused

    @property
    def trace(self) -> tuple[Stage, ...]:
        """What each stage of the search did and how long it took."""
        return self.search_result.trace

    def __len__(self) -> int:
        return self.total

    @overload
    def __getitem__(self, index: int) -> Hit: ...

    @overload
    def __getitem__(self, index: slice) -> list[Hit]: ...

    def __getitem__(self, index: int | slice) -> Hit | list[Hit]:
        ranks = range(1, self.total + 1)
        if isinstance(index, slice):
            return self._hits(ranks[index])
        return self._hit(ranks[index])

    def hit(self, record: str) -> Hit | None:
        """Return the hit of a record; None if it is not in the result."""
        place = self.search_result.find(record)
        return self._hit(place[0]) if place else None

    def page(
        self,
        number: int = 1,
        size: int = DEFAULT_PAGE_SIZE,
        *,
        cursor: Cursor | str | None = None,
    ) -> Page:
        """Return a page: by number from 1, or the one where a cursor says the next begins."""
        options = self.options
        digest = query_digest(
            self.query.source, options.top, options.show_impossible, options.relax
        )
        start = parse_cursor(cursor) if isinstance(cursor, str) else cursor
        if start is not None:
            start.check(query=digest)
        else:
            start = Cursor(
                query=digest,
                model=self.model,
                ordering=options.ordering,
                search_id=self.id,
            )
        # Two models have no common score to continue from; their pages follow by number.
        after = None if self.search_result.challenger else start
        page = make_page(
            self.search_result.fused,
            self.search_result.lists,
            number=number,
            size=size,
            cursor=after,
            duplicates=self._duplicates,
        )
        result = self._as_read(after) if after else self
        shown = zip(page.ranks, page.hits, strict=True)
        hits = tuple(Hit(result, rank, row) for rank, row in shown)
        households = self._households([hit.record for hit in hits])
        for hit in hits:  # read together; a record deleted since is read again, and reported
            if hit.record in households:
                hit.household = households[hit.record]
        return Page(
            result=result,
            hits=hits,
            number=page.number,
            size=page.size,
            is_last=page.is_last,
            next_cursor=page.next_cursor,
            less_likely_from=result._less_likely_from,
        )

    def facets(self) -> "tuple[Facet, ...]":
        """Count everything found, shown or not, by record type, collection, decade and place."""
        return self._archive.facets(self)

    def missing(self, record: str) -> "MissingReason | None":
        """Return why a record is not in the result; None if it is."""
        return self._archive.missing(self, record)

    def to_dict(self) -> dict[str, Any]:
        """Return the whole result as JSON has it."""
        return self.page(size=max(1, self.total)).to_dict()

    def _as_read(self, cursor: Cursor) -> "Result":
        """Return the result in the order of the reader whose cursor it is."""
        fused = cursor.whole(self.search_result.fused)
        if fused is self.search_result.fused:
            return self
        return Result(
            self._archive,
            self.search_result.in_order(fused),
            viewer=self.viewer,
            search_id=self.id,
            change=self.change,
            trial=self.trial,
        )

    def _household(self, key: str) -> tuple[Record, ...]:
        household = self._archive.household(key, viewer=self.viewer)
        return household or (self._archive.record(key, viewer=self.viewer),)  # which reports it

    def _households(self, keys: Sequence[str]) -> dict[str, tuple[Record, ...]]:
        return self._archive.households(keys, viewer=self.viewer)

    def __repr__(self) -> str:
        return f"<Result {self.id} of {self.total} records>"

    def _hits(self, ranks: Sequence[int]) -> list[Hit]:
        """Return the hits at these ranks, their keys read together."""
        rows = self.search_result.fused.take([rank - 1 for rank in ranks])
        return [Hit(self, rank, row) for rank, row in zip(ranks, rows, strict=True)]

    def _hit(self, rank: int) -> Hit:
        return self._hits([rank])[0]

    @cached_property
    def _less_likely_from(self) -> int | None:
        result = self.search_result
        return less_likely_from(result.probabilities.of(result.fused))

    @cached_property
    def _duplicates(self) -> Duplicates:
        storage, viewer = self._archive.storage, self.viewer

        def read(keys: Sequence[str]) -> dict[str, Record]:
            return {key: group[0] for key, group in storage.records(keys, viewer=viewer).items()}

        return Duplicates(self.search_result.fused, read)
