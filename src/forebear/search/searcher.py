"""The whole flow on one screen: a query in, one ranked list out, and how it came about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from forebear.errors import StorageError
from forebear.records.collections import Collection, RecordList
from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.search.expansion.expand import expand
from forebear.search.expansion.facts import contradictions, gather_facts
from forebear.search.expansion.learned_variants import NAME_FIELDS
from forebear.search.expansion.query_facts import Facts
from forebear.search.facets import ListFacets, filter_conditions, types_of_filters
from forebear.search.fusion import fuse, list_shift, stated_facts
from forebear.search.hits import Hits, join_hits
from forebear.search.model import Model, shipped_constants
from forebear.search.query.person_query import PersonQuery
from forebear.search.record_search.ranked_list import ListSearch, RankedList
from forebear.search.results.probability import (
    Probabilities,
    probabilities,
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
from forebear.search.results.trace import Trace
from forebear.search.search_result import SearchOptions, SearchResult, decide_decay
from forebear.search.store import SearchStore

if TYPE_CHECKING:
    from forebear.search.results.missing import MissingReason

# A record that fires one of these is about a person of another name.
NAME_CONFLICTS = frozenset({"self.surname.conflict", "self.given.conflict"})


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
        decided = decide_decay(options, chances.best)
        fused = decided.ordering.apply(by_bits)
        second = replace(
            result,
            model=other.model,
            lists=again,
            fused=fused,
            searches=searches,
            options=decided,
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
        best, relaxed, followed = reader._best_round(query, options, viewer, trace)
        with trace.timed("fusion") as figures:
            by_bits = best.fused or self._fuse(query, best.lists)
            chances = best.probabilities or self._probabilities(by_bits, best.lists)
            decided = decide_decay(options, chances.best)
            fused = decided.ordering.apply(by_bits)
            figures.update(candidates=best.hits, hits=len(fused))
        knowledge = self.storage.knowledge(viewer)
        result = SearchResult(
            query=query,
            model=self.model,
            lists=best.lists,
            fused=fused,
            trace=tuple(trace.stages),
            searches=best.searches,
            unused=(*unused_facts(query), *contradictions(query)),
            relaxed=relaxed,
            followed=followed,
            options=decided,
            probabilities=chances.in_order(fused),
            learned={kind: knowledge.vocabulary(kind).learned_pairs for kind in NAME_FIELDS},
        )
        return result, best.again

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

        list_name = next(
            (one.name for one in self.lists if record.collection in one.collections), ""
        )
        ranked = next((one for one in result.lists if one.name == list_name), None)
        search = result.searches.get(list_name)
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

        def whole_list(search: ListSearch) -> RankedList:
            return self.storage.find([search], viewer=viewer, top=max(1, ranked.records))[0]

        return explain_missing(
            record.key,
            candidates,
            search,
            result.compare(search.name),
            top=result.options.top,
            scale=result.probabilities.constants.scale,
            whole_list=whole_list,
        )

    def _best_round(
        self, query: PersonQuery, options: SearchOptions, viewer: Viewer, trace: Trace
    ) -> tuple["_Round", tuple[Relaxation, ...], tuple[LearnedName, ...]]:
        """Return the best round of searching, what was relaxed for it, and what was followed."""
        searches = self._list_searches(query, query, options, viewer, trace)
        best = self._search_lists(searches, query, options, viewer, trace)
        own_query = query
        followed: tuple[LearnedName, ...] = ()
        for _ in range(MAX_ROUNDS if options.relax else 0):
            fused = self._fuse(own_query, best.lists)
            best = replace(best, fused=fused, probabilities=self._probabilities(fused, best.lists))
            names = self._names_to_follow(query, best, viewer)
            if not names:
                break
            trace.again = "followed "
            followed += names
            query = with_names(query, names)
            searches = self._list_searches(query, query, options, viewer, trace)
            searches = with_branches_of(searches, best.searches)
            best = self._search_lists(searches, query, options, viewer, trace)
        tried: list[Relaxation] = []
        helpful = 0  # how many relaxations the best round has
        for step in relaxations(query) if options.relax else ():
            if best.promising_hits >= THIN or best.has_failed:
                break
            trace.again = "relaxed "
            searches = self._list_searches(step.query, step.gate_query, options, viewer, trace)
            wider = self._search_lists(searches, query, options, viewer, trace)
            tried.append(step)
            if wider.hits > best.hits:
                best, helpful = wider, len(tried)
        trace.again = ""
        return best, tuple(tried[:helpful]), followed

    def _names_to_follow(
        self, query: PersonQuery, best: "_Round", viewer: Viewer
    ) -> tuple[LearnedName, ...]:
        """Return the names that the most probable records state."""

        def read(key: str) -> Record | None:
            try:
                records = self.storage.records([key], viewer=viewer)
            except StorageError:
                return None  # the hits are as good without it
            return records[key][0] if key in records else None

        if best.fused is None or best.probabilities is None:
            return ()
        gates = (search.gate for search in best.searches.values())
        names = next((gate.branches[0].conditions[0] for gate in gates), frozenset())
        return followed_names(query, best.fused, best.probabilities.values, names, read)

    def _list_searches(
        self,
        query: PersonQuery,
        gate_query: PersonQuery,
        options: SearchOptions,
        viewer: Viewer,
        trace: Trace,
    ) -> dict[str, ListSearch]:
        """Return the search of each list: one query scores, the same or another opens the gate."""
        with trace.timed("facts"):
            knowledge = self.storage.knowledge(viewer)
            facts = gate_facts = gather_facts(query, knowledge)
            if gate_query is not query:
                gate_facts = gather_facts(gate_query, knowledge, is_relaxed=True)
        searches = {}
        for record_list in self._lists_for(query):
            with trace.timed("expansion", record_list.name) as figures:
                search = self._list_search(record_list, facts, gate_facts, options)
                figures.update(clauses=len(search.clauses) if search else 0)
            if search is not None:
                searches[record_list.name] = search
        return searches

    def _list_search(
        self, record_list: RecordList, facts: Facts, gate_facts: Facts, options: SearchOptions
    ) -> ListSearch | None:
        name, record_type = record_list.name, record_list.record_type
        show = options.show_impossible
        scored = gated = expand(facts, record_type, show_impossible=show)
        if gate_facts is not facts:
            gated = expand(gate_facts, record_type, show_impossible=show)
        if scored is None or gated is None or not gated.gate.branches:
            return None
        filters = filter_conditions(facts.query.filters, record_list.collections, facts.knowledge)
        if not all(filters):
            return None
        # A wider gate has the branches of the first too, whose exact day or place it may not have.
        # What excludes a record is a clause that is scored, and so one of the first query's.
        branches = scored.gate.branches
        if gated is not scored:
            branches = tuple(dict.fromkeys((*branches, *gated.gate.branches)))
        gate = replace(
            gated.gate,
            branches=branches,  # the same tuple that other lists have: a storage opens it once
            required=(*gated.gate.required, *filters),
            excluded=scored.gate.excluded,
        )
        return ListSearch(
            name=name,
            record_type=record_type,
            collections=record_list.collections,
            gate=gate,
            clauses=scored.clauses,
            weights=self.model.weights_of(record_type, [c.name for c in scored.clauses]),
        )

    def _lists_for(self, query: PersonQuery) -> list[RecordList]:
        limits = [
            set(names) for names in (query.record_types, types_of_filters(query.filters)) if names
        ]
        return [one for one in self.lists if all(one.record_type in names for names in limits)]

    def _search_lists(
        self,
        searches: Mapping[str, ListSearch],
        query: PersonQuery,
        options: SearchOptions,
        viewer: Viewer,
        trace: Trace,
    ) -> "_Round":
        # With another model each list is searched twice, with the weights of either: a storage
        # that searches lists together opens its gate and tests its clauses once.
        models = [self.model] if self.other is None else [self.model, self.other]
        reweighted = [
            search if model is self.model else replace(self, model=model)._reweighted(search)
            for search in searches.values()
            for model in models
        ]
        ranked = self.storage.find(reweighted, viewer=viewer, top=options.top)
        of_model, of_other = (
            {list_.name: list_ for list_ in ranked[number :: len(models)]}
            for number in (0, len(models) - 1)
        )
        lists, again = [], []
        for record_list in self._lists_for(query):
            name = record_list.name
            empty = RankedList(name=name, record_type=record_list.record_type)
            lists.append(of_model.get(name, empty))
            again.append(of_other.get(name, empty))
            trace.add_list(searches.get(name), lists[-1])
        return _Round(searches=searches, lists=tuple(lists), again=tuple(again))

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
class _Round:
    """One round of searching all lists: what was searched, and the ranked lists."""

    searches: Mapping[str, ListSearch]
    lists: tuple[RankedList, ...]
    again: tuple[RankedList, ...]  # the same lists, ranked by another model if there is one
    fused: Hits | None = None  # once they are
    probabilities: Probabilities | None = None

    @property
    def hits(self) -> int:
        return sum(len(list_.hits) for list_ in self.lists)

    @property
    def promising_hits(self) -> int:
        """Return how many hits have no other name than the query's."""
        hits = join_hits([list_.hits for list_ in self.lists])
        return len(hits) - int(hits.fires_any(*NAME_CONFLICTS).sum())

    @property
    def has_failed(self) -> bool:
        """Return whether a list could not be searched: few hits may be for that reason."""
        return any(list_.state in ("failed", "partial") for list_ in self.lists)
