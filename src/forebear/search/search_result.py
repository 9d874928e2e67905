"""How is a search made, and what came of it?  Its options, and its lists as one."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from forebear.records.record import Record
from forebear.search.expansion.catalog import Clause
from forebear.search.expansion.learned_variants import LearnedPairs
from forebear.search.fusion import Order, Ordering
from forebear.search.hits import Hit, Hits, tie_key
from forebear.search.model import UNITS_PER_BIT, Model, to_units
from forebear.search.query.person_query import PersonQuery
from forebear.search.record_search.ranked_list import ListSearch, RankedList
from forebear.search.results.page import Cursor, parse_cursor
from forebear.search.results.probability import THIN as THIN_SEARCH
from forebear.search.results.probability import (
    VERY_LIKELY,
    Probabilities,
    nothing_found,
    suggestion,
)
from forebear.search.results.rounds import (
    LearnedName,
    Relaxation,
    with_names,
)
from forebear.search.results.trace import Stage

if TYPE_CHECKING:
    from forebear.search.results.explain import Explanation, ListComparison
    from forebear.search.results.stated import QuerySide

TOP = 100  # records of each list, as in the paper
DECAY = 0.25  # bits, where the best record is very likely the person's


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """How a search is made, whatever the query is."""

    top: int = TOP  # records of each list
    show_impossible: bool = False  # also records outside the person's lifetime
    relax: bool = True  # search less strictly where results are thin
    order: Order = "score"  # "types": the best of each record type in turn
    # Bits a record loses for each record of its type before it; None: DECAY where a record is
    # very likely the person's, none where no record is.
    decay: float | None = None
    model: str | None = None  # a version; None means the one that is promoted

    def __post_init__(self) -> None:
        _ = self.ordering  # checks the decay

    @property
    def ordering(self) -> Ordering:
        """Return the order of the one list, without a decay that is not decided yet."""
        return Ordering(order=self.order, decay=to_units(self.decay or 0.0))

    def after(self, cursor: Cursor | str) -> "SearchOptions":
        """Return the options for the page after a cursor, which has its model and its order."""
        start = parse_cursor(cursor) if isinstance(cursor, str) else cursor
        return replace(
            self,
            model=start.model,
            order=start.ordering.order,
            decay=start.ordering.decay / UNITS_PER_BIT,
        )

    def to_json(self) -> dict[str, object]:
        """Return the options as the log stores them, which stores the model by itself."""
        return {
            "top": self.top,
            "show_impossible": self.show_impossible,
            "relax": self.relax,
            "arrangement": asdict(self.ordering),
        }


def decide_decay(options: SearchOptions, best: float) -> SearchOptions:
    """Return the options with a decay for a list whose best record has this probability."""
    if options.decay is not None or options.order != "score":
        return options
    return replace(options, decay=DECAY if best >= VERY_LIKELY else 0.0)


def options_from_json(value: Mapping[str, Any], *, model: str | None = None) -> SearchOptions:
    """Return the options that were logged; what was not logged has its default."""
    logged = dict(value)
    ordering = Ordering(**logged.pop("arrangement", {}))
    return SearchOptions(
        **logged, order=ordering.order, decay=ordering.decay / UNITS_PER_BIT, model=model
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The answer to a query."""

    query: PersonQuery
    model: Model
    lists: tuple[RankedList, ...]
    fused: Hits  # in the order that was requested
    trace: tuple[Stage, ...]
    searches: Mapping[str, ListSearch]  # of each list that has such facts
    unused: tuple[str, ...]  # facts of the query that no clause reads yet
    relaxed: tuple[Relaxation, ...] = ()
    followed: tuple[LearnedName, ...] = ()  # names that records state, and were searched too
    options: SearchOptions = field(default_factory=SearchOptions)  # with a decay that is decided
    probabilities: Probabilities
    challenger: str = ""  # the other model of an interleaved result
    drafted: "Mapping[int, SearchResult]" = field(default_factory=dict)  # by tie key of its hits
    learned: LearnedPairs = field(default_factory=dict)  # name variants of the archive
    # The same for every list, and for every hit of a list, so that a page is explained fast.
    _query_sides: "list[QuerySide]" = field(
        init=False, repr=False, compare=False, default_factory=list
    )
    _comparisons: "dict[str, ListComparison]" = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    @property
    def suggestion(self) -> str:
        """Return why no record or percentage is shown and what to do; "" if they are shown."""
        broken = [ranked.name for ranked in self.lists if ranked.state in ("failed", "partial")]
        if broken:
            return (
                f"No percentages, because these lists are incomplete: {', '.join(broken)}. "
                "Search again."
            )
        if not self.fused:
            return nothing_found(self.query)
        if self.model.probability is None:
            return (
                f"No percentages, because model {self.model.name} has none. "
                "`forebear train` learns a model that has."
            )
        if self.probabilities.best >= THIN_SEARCH:
            return ""
        return suggestion(self.query, self.probabilities.hits.records[0])

    @property
    def clauses_by_list(self) -> dict[str, tuple[Clause, ...]]:
        """Return the clauses of each list; none where it has no such facts."""
        return {
            ranked.name: self.searches[ranked.name].clauses if ranked.name in self.searches else ()
            for ranked in self.lists
        }

    def collections_of(self, list_name: str) -> tuple[str, ...]:
        """Return the collections that were searched as this list; none if it was not searched."""
        search = self.searches.get(list_name)
        return search.collections if search else ()

    def in_order(self, fused: Hits) -> "SearchResult":
        """Return the same hits as a list in another order."""
        return replace(self, fused=fused, probabilities=self.probabilities.in_order(fused))

    def explain(self, hit: Hit, group: Sequence[Record]) -> "Explanation":
        """Return why a hit of this result has its probability and its score.

        ``group`` is the household of its record, as the viewer may see it.
        """
        # Loaded late, because a search must be quick to start.
        from forebear.search.results.explain import explain
        from forebear.search.results.stated import RecordSide

        record = next(record for record in group if record.key == hit.record_key)
        side = RecordSide(record=record, position=hit.position, group=group)
        comparison = self.drafted.get(hit.tie, self).compare(hit.list_name)
        return explain(hit, comparison, side, self.probabilities.steps(hit.tie))

    def compare(self, list_name: str) -> "ListComparison":
        """Return what of the query is compared with the records of a list."""
        from forebear.search.results.explain import compare_list
        from forebear.search.results.stated import QuerySide

        if list_name not in self._comparisons:
            if not self._query_sides:
                query = with_names(self.query, self.followed) if self.followed else self.query
                self._query_sides.append(QuerySide(query=query, own_query=self.query))
            comparison = compare_list(self.searches[list_name], self._query_sides[0], self.learned)
            self._comparisons[list_name] = comparison
        return self._comparisons[list_name]

    def find(self, record_key: str) -> tuple[int, Hit] | None:
        """Return a record's rank and hit, or None if it is not in the result."""
        rows = np.flatnonzero(self.fused.tie == tie_key(record_key)).tolist()
        return (rows[0] + 1, self.fused.row(rows[0])) if rows else None
