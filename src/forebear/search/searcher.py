"""The whole flow on one screen: a query in, one ranked list out, and how it came about."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from forebear.errors import StorageError
from forebear.records.collections import Collection, RecordList
from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.search.expansion.catalog import Clause
from forebear.search.expansion.expand import expand
from forebear.search.expansion.facts import contradictions, gather_facts
from forebear.search.expansion.learned_variants import NAME_FIELDS, LearnedPairs
from forebear.search.expansion.query_facts import Facts
from forebear.search.fusion import Order, Ordering, fuse, list_shift, stated_facts
from forebear.search.hits import Hit, Hits, join_hits, tie_key
from forebear.search.model import UNITS_PER_BIT, Model, shipped_constants, to_units
from forebear.search.query.person_query import PersonQuery
from forebear.search.record_search.facets import ListFacets
from forebear.search.record_search.ranked_list import ListSearch, RankedList
from forebear.search.results.facets import filter_conditions, types_of_filters
from forebear.search.results.page import Cursor, parse_cursor
from forebear.search.results.probability import THIN as THIN_SEARCH
from forebear.search.results.probability import (
    VERY_LIKELY,
    Probabilities,
    nothing_found,
    probabilities,
    suggestion,
)
from forebear.search.results.query_info import unused_facts
from forebear.search.results.rounds import (
    MAX_ROUNDS,
    THIN,
    LearnedName,
    Relaxation,
    followed_names,
    relaxations,
    with_branches_of,
    with_names,
)
from forebear.search.results.trace import Stage, Trace
from forebear.search.store import SearchStore

if TYPE_CHECKING:
    from forebear.search.results.explain import Explanation, ListComparison
    from forebear.search.results.missing import MissingReason
    from forebear.search.results.stated import QuerySide

TOP = 100  # records of each list, as in the paper
DECAY = 0.25  # bits, where the person is on the best record very likely
# A record that fires one of these is about a person of another name.
NAME_CONFLICTS = frozenset({"self.surname.conflict", "self.given.conflict"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """How a search is made, beside what is asked."""

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

    def decide_decay(self, best: float) -> "SearchOptions":
        """Return the options with a decay for a list whose best record has this probability."""
        if self.decay is not None or self.order != "score":
            return self
        return replace(self, decay=DECAY if best >= VERY_LIKELY else 0.0)

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
    searches: Mapping[str, ListSearch]  # what was asked of each list that can answer
    unused: tuple[str, ...]  # facts of the query that no clause reads yet
    relaxed: tuple[Relaxation, ...] = ()
    followed: tuple[LearnedName, ...] = ()  # names that records told, and were asked for too
    options: SearchOptions = field(default_factory=SearchOptions)  # as it was made: with a decay
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
    def asked(self) -> dict[str, tuple[Clause, ...]]:
        """Return the clauses asked of each list; none where it cannot answer."""
        return {
            ranked.name: self.searches[ranked.name].clauses if ranked.name in self.searches else ()
            for ranked in self.lists
        }

    def collections_of(self, list_name: str) -> tuple[str, ...]:
        """Return the collections that were searched as this list; none if it cannot answer."""
        search = self.searches.get(list_name)
        return search.collections if search else ()

    def in_order(self, fused: Hits) -> "SearchResult":
        """Return the same hits as a list in another order."""
        return replace(self, fused=fused, probabilities=self.probabilities.in_order(fused))

    def explain(self, hit: Hit, group: Sequence[Record]) -> "Explanation":
        """Return why a hit of this result has its probability and its score.

        ``group`` is the household of its record, as the viewer may see it.
        """
        # This is asked after a search, which must be quick to start.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Searcher:
    """Searches an archive's lists with a model."""

    storage: SearchStore
    lists: Sequence[RecordList]
    model: Model
    other: Model | None = None  # that ranks the same lists once more
    offset: float = 0.0  # of probabilities: how much likelier people are in this archive, in bits

    def search(
        self, query: PersonQuery, options: SearchOptions | None = None, *, viewer: Viewer
    ) -> SearchResult:
        """Return the records in which the person appears, the best first."""
        return self._search(query, options or SearchOptions(), viewer)[0]

    def search_twice(
        self, query: PersonQuery, other: "Searcher", options: SearchOptions, *, viewer: Viewer
    ) -> tuple[SearchResult, SearchResult]:
        """Return the result of this searcher, and what another one makes of the same records.

        Whom this searcher asks for, also after it relaxed the search or followed a name, is asked
        for once: the clauses are the same, and only weights and what follows from them differ.
        """
        result, again = self._search(query, options, viewer, other=other.model)
        by_bits = other._fuse(query, again)
        searches = {name: other._reweighted(search) for name, search in result.searches.items()}
        chances = other._probabilities(by_bits, again)
        made_with = options.decide_decay(chances.best)
        fused = made_with.ordering.apply(by_bits)
        second = replace(
            result,
            model=other.model,
            lists=again,
            fused=fused,
            searches=searches,
            options=made_with,
            probabilities=chances.in_order(fused),
        )
        return result, second

    def _reweighted(self, search: ListSearch) -> ListSearch:
        """Return what to ask of a list, with the weights of this model."""
        names = [clause.name for clause in search.clauses]
        return replace(search, weights=self.model.weights_of(search.record_type, names))

    def _search(
        self,
        query: PersonQuery,
        options: SearchOptions,
        viewer: Viewer,
        *,
        other: Model | None = None,
    ) -> tuple[SearchResult, tuple[RankedList, ...]]:
        """Return a result, and the lists of its search as another model ranks them."""
        trace = Trace()
        reader = self if other is None else replace(self, other=other)
        answer, relaxed, followed = reader._answer(query, options, viewer, trace)
        with trace.timed("fusion") as figures:
            by_bits = answer.fused or self._fuse(query, answer.lists)
            chances = answer.probabilities or self._probabilities(by_bits, answer.lists)
            made_with = options.decide_decay(chances.best)
            fused = made_with.ordering.apply(by_bits)
            figures.update(candidates=answer.hits, hits=len(fused))
        knowledge = self.storage.knowledge(viewer)
        result = SearchResult(
            query=query,
            model=self.model,
            lists=answer.lists,
            fused=fused,
            trace=tuple(trace.stages),
            searches=answer.searches,
            unused=(*unused_facts(query), *contradictions(query)),
            relaxed=relaxed,
            followed=followed,
            options=made_with,
            probabilities=chances.in_order(fused),
            learned={kind: knowledge.vocabulary(kind).learned_pairs for kind in NAME_FIELDS},
        )
        return result, answer.again

    def facets(self, result: SearchResult, *, viewer: Viewer) -> tuple[ListFacets, ...]:
        """Return how everything spreads that passes the gates of a result, list by list."""
        return tuple(self.storage.facets(list(result.searches.values()), viewer=viewer))

    def absence(
        self,
        result: SearchResult,
        group: Sequence[Record],
        record: Record,
        collection: Collection,
        *,
        viewer: Viewer,
    ) -> "MissingReason | None":
        """Return why a record that the viewer may see is not in a result; None if it is."""
        # This is asked after a search, which must be quick to start.
        from forebear.search.results.missing import Candidate, explain_missing, not_searched
        from forebear.search.results.stated import RecordSide
        from forebear.search.terms.write import write_terms

        listed = {name: each for each in self.lists for name in each.collections}
        of_record = listed.get(record.collection)
        ranked = next(
            (each for each in result.lists if of_record and each.name == of_record.name), None
        )
        search = result.searches.get(ranked.name) if ranked else None
        if ranked is None or search is None or ranked.state == "failed":
            return not_searched(record.key, record.record_type, ranked)
        of_group = next(member for member in group if member.key == record.key)
        candidates = [
            Candidate(
                terms=persona.terms,
                record=RecordSide(record=of_group, position=persona.position, group=group),
            )
            for persona in write_terms(tuple(group), collection)
            if persona.record_key == record.key
        ]

        def whole(asked: ListSearch) -> RankedList:
            return self.storage.find([asked], viewer=viewer, top=max(1, ranked.records))[0]

        return explain_missing(
            record.key,
            candidates,
            search,
            result.compare(search.name),
            top=result.options.top,
            scale=result.probabilities.constants.scale,
            whole_list=whole,
        )

    def _answer(
        self, query: PersonQuery, options: SearchOptions, viewer: Viewer, trace: Trace
    ) -> tuple["_Answer", tuple[Relaxation, ...], tuple[LearnedName, ...]]:
        """Return the answer of every list, what was relaxed for it, and what was followed."""
        asked = self._ask(query, query, options, viewer, trace)
        best = self._find(asked, query, options, viewer, trace)
        followed: tuple[LearnedName, ...] = ()
        said = query
        for _ in range(MAX_ROUNDS if options.relax else 0):
            fused = self._fuse(said, best.lists)
            chances = self._probabilities(fused, best.lists)
            best = replace(best, fused=fused, probabilities=chances)
            told = self._follow(query, best, viewer)
            if not told:
                break
            trace.again = "followed "
            followed += told
            query = with_names(query, told)
            asked = self._ask(query, query, options, viewer, trace)
            best = self._find(with_branches_of(asked, best.searches), query, options, viewer, trace)
        tried: list[Relaxation] = []
        kept = 0
        for step in relaxations(query) if options.relax else ():
            if best.promising_hits >= THIN or best.has_failed:
                break
            trace.again = "relaxed "
            wider = self._ask(step.query, step.gate_query, options, viewer, trace)
            found = self._find(wider, query, options, viewer, trace)
            tried.append(step)
            if found.hits > best.hits:
                best, kept = found, len(tried)
        trace.again = ""
        return best, tuple(tried[:kept]), followed

    def _follow(
        self, query: PersonQuery, answer: "_Answer", viewer: Viewer
    ) -> tuple[LearnedName, ...]:
        """Return the names that the likeliest records tell."""

        def read(key: str) -> Record | None:
            try:
                records = self.storage.records([key], viewer=viewer)
            except StorageError:
                return None  # the hits are as good without it
            return records[key][0] if key in records else None

        gates = (search.gate for search in answer.searches.values())
        known = next((gate.branches[0].conditions[0] for gate in gates), frozenset())
        if answer.fused is None or answer.probabilities is None:
            return ()
        chances = answer.probabilities.values
        return followed_names(query, answer.fused, chances, known, read)

    def _ask(
        self,
        query: PersonQuery,
        gate_query: PersonQuery,
        options: SearchOptions,
        viewer: Viewer,
        trace: Trace,
    ) -> dict[str, ListSearch]:
        """Return what to ask of each list: scored by one query, let in by another or the same."""
        with trace.timed("facts"):
            known = self.storage.knowledge(viewer)
            facts = gather_facts(query, known)
            at_gate = (
                facts if gate_query is query else gather_facts(gate_query, known, is_relaxed=True)
            )
        searches = {}
        for record_list in self._lists_for(query):
            with trace.timed("expansion", record_list.name) as figures:
                search = self._list_search(record_list, facts, at_gate, options)
                figures.update(clauses=len(search.clauses) if search else 0)
            if search is not None:
                searches[record_list.name] = search
        return searches

    def _list_search(
        self, record_list: RecordList, facts: Facts, at_gate: Facts, options: SearchOptions
    ) -> ListSearch | None:
        name, record_type = record_list.name, record_list.record_type
        show = options.show_impossible
        found = expand(facts, record_type, show_impossible=show)
        opened = found if at_gate is facts else expand(at_gate, record_type, show_impossible=show)
        if found is None or opened is None or not opened.gate.branches:
            return None
        filters = filter_conditions(facts.query.filters, record_list.collections, facts.knowledge)
        if not all(filters):
            return None
        # A wider gate keeps the ways of the first, whose very day or place it may not know.  What
        # leaves a record out is a clause that is scored, and so one of the first query's.
        ways = found.gate.branches
        if opened is not found:
            ways = tuple(dict.fromkeys((*ways, *opened.gate.branches)))
        gate = replace(
            opened.gate,
            branches=ways,  # the very tuple that other lists have: a storage opens it once
            required=(*opened.gate.required, *filters),
            excluded=found.gate.excluded,
        )
        return ListSearch(
            name=name,
            record_type=record_type,
            collections=record_list.collections,
            gate=gate,
            clauses=found.clauses,
            weights=self.model.weights_of(record_type, [c.name for c in found.clauses]),
        )

    def _lists_for(self, query: PersonQuery) -> list[RecordList]:
        wanted = [
            set(names) for names in (query.record_types, types_of_filters(query.filters)) if names
        ]
        return [each for each in self.lists if all(each.record_type in names for names in wanted)]

    def _find(
        self,
        searches: Mapping[str, ListSearch],
        query: PersonQuery,
        options: SearchOptions,
        viewer: Viewer,
        trace: Trace,
    ) -> "_Answer":
        # Beside each list the same with the weights of another model, if there is one: a storage
        # that searches lists together opens its gate and tests its clauses once.
        models = [self.model] if self.other is None else [self.model, self.other]
        reweighted = [
            search if model is self.model else replace(self, model=model)._reweighted(search)
            for search in searches.values()
            for model in models
        ]
        ranked = self.storage.find(reweighted, viewer=viewer, top=options.top)
        found, again = (
            {each.name: each for each in ranked[of_model :: len(models)]}
            for of_model in (0, len(models) - 1)
        )
        lists, others = [], []
        for each in self._lists_for(query):
            nothing = RankedList(name=each.name, record_type=each.record_type)
            lists.append(found.get(each.name, nothing))
            others.append(again.get(each.name, nothing))
            trace.add_list(searches.get(each.name), lists[-1])
        return _Answer(searches=searches, lists=tuple(lists), again=tuple(others))

    def _fuse(self, query: PersonQuery, lists: Sequence[RankedList]) -> Hits:
        facts = stated_facts(query)
        shifts = {
            ranked.name: list_shift(self.model, ranked.name, ranked.record_type, facts)
            for ranked in lists
        }
        return fuse([ranked.hits for ranked in lists], shifts)

    def _probabilities(self, fused: Hits, lists: Sequence[RankedList]) -> Probabilities:
        # A model without constants has probabilities too, for the steps of a search; none is shown.
        constants = self.model.probability or shipped_constants()
        return probabilities(fused, lists, constants, offset=self.offset)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What was asked of the lists, and what they answered."""

    searches: Mapping[str, ListSearch]
    lists: tuple[RankedList, ...]
    again: tuple[RankedList, ...]  # the same lists, ranked by another model if there is one
    fused: Hits | None = None  # once they are
    probabilities: Probabilities | None = None

    @property
    def hits(self) -> int:
        return sum(len(each.hits) for each in self.lists)

    @property
    def promising_hits(self) -> int:
        """Return how many hits have no other name than the query's."""
        hits = join_hits([list_.hits for list_ in self.lists])
        return len(hits) - int(hits.fires_any(*NAME_CONFLICTS).sum())

    @property
    def has_failed(self) -> bool:
        """Say whether a list did not answer: then little may be found for that reason."""
        return any(each.state in ("failed", "partial") for each in self.lists)
