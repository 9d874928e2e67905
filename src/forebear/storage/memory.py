"""What would a storage answer that is slow and obviously right?  In plain Python sets.

It asks every persona of a list every question, with ``Clause.fires_on`` itself.  The other
storages are held to its answers by the contract suite, and tests use it where a storage
is needed and speed is not.
"""

import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from itertools import chain

from forebear.errors import StorageError
from forebear.ingest.store import Group, Journal, RecordStore, SourceFile
from forebear.normalize.gazetteer import Gazetteer, GazetteerEntry
from forebear.records.collections import Collection
from forebear.records.privacy import (
    HIDDEN,
    OWNER,
    PRIVACY_RULES_VERSION,
    PublicYears,
    Viewer,
    mask,
    public_years,
)
from forebear.records.record import Record
from forebear.search.expansion.catalog import Condition
from forebear.search.expansion.learned_variants import LearnedVariant
from forebear.search.facets import FacetKey, ListFacets, count_facets, facet_of
from forebear.search.hits import Hits, keyed_hits, tie_key
from forebear.search.record_search.ranked_list import ListSearch, RankedList, narrow, year_of
from forebear.search.store import CollectionRow, cut_rows, is_whole_collection, source_position
from forebear.search.terms.term import (
    COLLECTION,
    TERM_RULES_VERSION,
    PersonaTerms,
    field_of,
    term,
    value_of,
)
from forebear.search.terms.write import write_terms
from forebear.storage.copy import digest_contents
from forebear.storage.memory_knowledge import MemoryKnowledge
from forebear.storage.places import PLACE_FIELDS, KnownPlace, PlaceTree
from forebear.storage.port import MAX_FAULTS, CheckReport

# A persona: its record's key, its position there, and whether relatives of it are masked.
Position = tuple[str, int, bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    records: tuple[Record, ...]
    years: PublicYears
    file: SourceFile | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scored:
    """A persona of a record, and what it scores in a list."""

    position: int
    score: int
    fired: list[bool]  # one a clause of the list
    year: int | None


class MemoryStorage(RecordStore):
    """An archive's records in memory; implements record search, knowledge and writing."""

    def __init__(self) -> None:
        self._collections: dict[str, Collection] = {}
        self._groups: dict[str, _Group] = {}  # by the key of each record in it
        self._personas: dict[Position, PersonaTerms] = {}
        self._takedowns: dict[str, str] = {}
        self._entries: dict[str, GazetteerEntry] = {}
        self._variants: dict[tuple[str, str, str], LearnedVariant] = {}
        self._attached: set[str] = set()
        self._erased: frozenset[str] = frozenset()
        self._journals: dict[SourceFile, Journal] = {}
        self._changes = 0
        self._import_year = 0
        # Computed once and dropped with every change.
        self._known: dict[Viewer, MemoryKnowledge] = {}
        self._seen: dict[Viewer, dict[str, list[Position]]] = {}

    def put_collection(self, collection: Collection) -> None:
        """Add a collection, or say something new of it; its records are then indexed again."""
        if self._collections.get(collection.name) == collection:
            return
        self._collections[collection.name] = collection
        groups = {id(group): group for group in self._groups.values()}
        for group in groups.values():
            if group.records[0].collection == collection.name:
                self.write([group.records], file=group.file)

    def write(
        self, groups: Sequence[tuple[Record, ...]], *, file: SourceFile | None = None
    ) -> None:
        """Write groups of records; a record that is there already is replaced, group and all."""
        self._changed()
        for group in groups:
            self.delete(record.key for record in group)
            collection = self._collections.get(group[0].collection)
            if collection is None:
                raise StorageError(f"collection {group[0].collection!r} is not in the archive")
            stored = _Group(records=group, years=public_years(group, collection), file=file)
            for record in group:
                self._groups[record.key] = stored
            self._personas |= _write_personas(group, collection)

    def delete(self, record_keys: Iterable[str]) -> None:
        """Delete records, each with its whole group."""
        self._changed()
        for key in record_keys:
            group = self._groups.get(key)
            for record in group.records if group else ():
                del self._groups[record.key]
                for position in range(len(record.personas)):
                    self._personas.pop((record.key, position, False), None)
                    self._personas.pop((record.key, position, True), None)

    def delete_collection(self, name: str) -> int:
        """Delete a collection with its records and return how many there were."""
        keys = [key for key in self._groups if key.partition(":")[0] == name]
        self.delete(keys)
        self._collections.pop(name, None)
        return len(keys)

    def restate(self, records: Iterable[Record]) -> None:
        """Replace records of which nothing that is searched has changed."""
        for record in records:
            group = self._groups[record.key]
            members = tuple(record if old.key == record.key else old for old in group.records)
            for member in members:
                self._groups[member.key] = replace(group, records=members)

    def groups_holding(self, record_keys: Iterable[str]) -> list[tuple[Record, ...]]:
        """Return the stored groups in which any of these records is."""
        groups = (self._groups[key].records for key in record_keys if key in self._groups)
        return list(dict.fromkeys(groups))

    def keys_from(self, file: SourceFile) -> list[str]:
        """Return the keys of the records that came from a file."""
        return [key for key, group in self._groups.items() if group.file == file]

    def attach(self, record_key: str) -> None:
        """Note that a record was attached to a tree."""
        self._attached.add(record_key)

    def attached(self, record_keys: Iterable[str]) -> frozenset[str]:
        """Return those of the records that are attached to a tree."""
        return frozenset(self._attached.intersection(record_keys))

    def unfinished(self, file: SourceFile) -> Journal | None:
        """Return the journal of an import of this file that did not end."""
        return self._journals.get(file)

    def begin(self, journal: Journal) -> None:
        """Note that an import begins."""
        self._journals[journal.file] = journal

    def all_unfinished(self) -> list[SourceFile]:
        """Return the files whose import did not end."""
        return list(self._journals)

    def finish(self, file: SourceFile) -> None:
        """Note that the import of a file has ended."""
        self._journals.pop(file, None)

    def take_down(self, record_key: str, *, reason: str, at: str) -> None:
        """Hide a record from the public for good, however often it is imported again."""
        del at  # the memory does not say when
        self._changed()
        self._takedowns[record_key] = reason

    def restore(self, record_key: str) -> None:
        """Undo a takedown."""
        self._changed()
        self._takedowns.pop(record_key, None)

    def erase(self, record_key: str) -> None:
        """Delete a record for good; an import does not bring it back."""
        group = self._groups.get(record_key)
        self.delete([record_key])
        if group and (rest := tuple(r for r in group.records if r.key != record_key)):
            self.write([rest], file=group.file)
        self._takedowns.pop(record_key, None)
        self._erased |= {record_key}

    def erased(self, record_keys: Iterable[str]) -> frozenset[str]:
        """Return those of the records that were erased for good."""
        return self._erased.intersection(record_keys)

    def takedowns(self) -> dict[str, str]:
        """Return the records taken down, and why."""
        return dict(sorted(self._takedowns.items()))

    def find(self, searches: Sequence[ListSearch], *, viewer: Viewer, top: int) -> list[RankedList]:
        """Return the best records of each list that the viewer may see, each record once."""
        return [self._find(search, viewer, top) for search in searches]

    def _find(self, search: ListSearch, viewer: Viewer, top: int) -> RankedList:
        started = time.perf_counter()
        gate = search.gate
        allowed = self._allowed(search, viewer)
        candidates, steps = narrow(
            [self._holding(branch.conditions, allowed) for branch in gate.branches],
            [self._holding([condition], allowed) for condition in gate.refinements],
            limit=gate.limit,
        )
        possible = self._possible(search, candidates)
        hits = self._score(search, possible)
        return RankedList(
            name=search.name,
            record_type=search.record_type,
            hits=hits[:top],
            candidates=len(possible),
            records=len(hits),
            excluded=len(candidates) - len(possible),
            state="narrowed" if steps else "complete",
            message=f"narrowed in {steps} steps" if steps else "",
            seconds=time.perf_counter() - started,
            clauses=tuple(clause.name for clause in search.clauses),
        )

    def facets(self, searches: Sequence[ListSearch], *, viewer: Viewer) -> list[ListFacets]:
        """Count, for each list, everything that passes its gate, never narrowed."""
        return [self._facets(search, viewer) for search in searches]

    def _facets(self, search: ListSearch, viewer: Viewer) -> ListFacets:
        candidates = self._passing(search, viewer)
        possible = self._possible(search, candidates)
        keys: defaultdict[FacetKey, set[str]] = defaultdict(set)
        for who in possible:
            for facet in filter(None, map(facet_of, self._personas[who])):
                keys[facet].add(who[0])
        return ListFacets(
            name=search.name,
            record_type=search.record_type,
            records=len({key for key, *_ in possible}),
            candidates=len(possible),
            excluded=len(candidates) - len(possible),
            counts=count_facets({facet: len(having) for facet, having in keys.items()}),
        )

    def browse(
        self,
        search: ListSearch,
        *,
        viewer: Viewer,
        limit: int,
        after: CollectionRow | None = None,
        before: CollectionRow | None = None,
    ) -> list[CollectionRow]:
        """Return records that pass a gate and that the viewer may see, in the source's order."""
        if is_whole_collection(search):
            keys = {key for key in self._groups if self._visible(key, viewer)}
            keys = {key for key in keys if key.partition(":")[0] in search.collections}
        else:
            keys = {key for key, *_ in self._passing(search, viewer)}
        records = {r.key: r for key in keys for r in self._groups[key].records if r.key in keys}
        rows = [
            CollectionRow(position=source_position(record.source), record_key=key)
            for key, record in records.items()
        ]
        return cut_rows(rows, limit=limit, after=after, before=before)

    def _passing(self, search: ListSearch, viewer: Viewer) -> frozenset[Position]:
        """Return all personas that pass a gate, however many they are."""
        allowed = self._allowed(search, viewer)
        return frozenset().union(
            *(self._holding(branch.conditions, allowed) for branch in search.gate.branches)
        )

    def _possible(self, search: ListSearch, candidates: Iterable[Position]) -> list[Position]:
        return [
            who
            for who in candidates
            if not any(clause.fires_on(self._personas[who]) for clause in search.gate.excluded)
        ]

    def _allowed(self, search: ListSearch, viewer: Viewer) -> frozenset[Position]:
        lists = frozenset(term(COLLECTION, name) for name in search.collections)
        seen = self._seen_by(viewer)
        visible = [who for name in search.collections for who in seen.get(name, ())]
        return self._holding([lists, *search.gate.required], visible)

    def _holding(
        self, conditions: Iterable[Condition], among: Iterable[Position]
    ) -> frozenset[Position]:
        needed = list(conditions)
        return frozenset(
            who
            for who in among
            if not any(condition.isdisjoint(self._personas[who]) for condition in needed)
        )

    def _score(self, search: ListSearch, candidates: Iterable[Position]) -> Hits:
        best: dict[str, _Scored] = {}
        for who in sorted(candidates):
            key, position, _ = who
            persona = self._personas[who]
            fired = [clause.fires_on(persona) for clause in search.clauses]
            score = sum(
                weight for weight, fires in zip(search.weights, fired, strict=True) if fires
            )
            if key not in best or score > best[key].score:
                year = year_of(persona, search.record_type)
                best[key] = _Scored(position=position, score=score, fired=fired, year=year)
        keys = sorted(best, key=lambda key: (-best[key].score, tie_key(key)))
        ranked = [best[key] for key in keys]
        return keyed_hits(
            search.info,
            keys=keys,
            positions=[scored.position for scored in ranked],
            scores=[scored.score for scored in ranked],
            fired=[scored.fired for scored in ranked],
            years=[scored.year for scored in ranked],
        )

    def records(
        self, keys: Sequence[str], *, viewer: Viewer, groups: bool = False
    ) -> dict[str, tuple[Record, ...]]:
        """Return records by key that the viewer may see, each alone or with its household."""
        visible = {key: self._group_for(key, viewer) for key in keys if self._visible(key, viewer)}
        if groups:
            return visible
        return {
            key: tuple(record for record in group if record.key == key)
            for key, group in visible.items()
        }

    def collections(self) -> tuple[Collection, ...]:
        """Return the collections of the archive."""
        return tuple(self._collections.values())

    def count(self, collection: str, *, viewer: Viewer) -> int:
        """Return how many records of a collection the viewer may see."""
        return sum(
            key.partition(":")[0] == collection and self._visible(key, viewer)
            for key in self._groups
        )

    def _visible(self, record_key: str, viewer: Viewer) -> bool:
        return record_key in self._groups and viewer.may_see(self._years(record_key).masked)

    def _years(self, record_key: str) -> PublicYears:
        group = self._groups[record_key]
        is_hidden = any(record.key in self._takedowns for record in group.records)
        return HIDDEN if is_hidden else group.years

    def _group_for(self, record_key: str, viewer: Viewer) -> Group:
        """Return a group as a viewer sees it who may see it."""
        group = self._groups[record_key].records
        if viewer.may_see(self._years(record_key).full):
            return group
        return mask(group, self._collections[group[0].collection])

    def knowledge(self, viewer: Viewer) -> MemoryKnowledge:
        """Return what the viewer may know of the archive."""
        if viewer not in self._known:
            seen = chain.from_iterable(self._seen_by(viewer).values())
            personas = [self._personas[who] for who in seen]
            self._known[viewer] = MemoryKnowledge(
                personas, Gazetteer(self._entries.values()), viewer, self.name_variants()
            )
        return self._known[viewer]

    def _seen_by(self, viewer: Viewer) -> dict[str, list[Position]]:
        """Return the personas that a viewer may see, by collection."""
        if viewer not in self._seen:
            seen: defaultdict[str, list[Position]] = defaultdict(list)
            for who in self._personas:
                key, _, is_masked = who
                sees_all = viewer.may_see(self._years(key).full)
                if self._visible(key, viewer) and is_masked != sees_all:
                    seen[key.partition(":")[0]].append(who)
            self._seen[viewer] = seen
        return self._seen[viewer]

    def _changed(self) -> None:
        self._known, self._seen = {}, {}
        self._changes += 1

    def change_counter(self) -> int:
        """Return a number that every change of records, places or takedowns raises."""
        return self._changes

    def snapshot(self) -> AbstractContextManager[None]:
        """Do nothing: what is in memory is of one moment as long as one thread uses it."""
        return nullcontext()

    def groups(self) -> Iterator[tuple[Group, SourceFile | None]]:
        """Yield all groups of records, each with the file it came from."""
        for group in {id(group): group for group in self._groups.values()}.values():
            yield group.records, group.file

    def draw_keys(self, collection: str, count: int, *, seed: int) -> list[str]:
        """Return keys of records of a collection chosen at random; a key may repeat."""
        keys = sorted(key for key in self._groups if key.partition(":")[0] == collection)
        return random.Random(f"{seed}/{collection}").choices(keys, k=count) if keys else []

    def places(self) -> list[str]:
        """Return the ids of all places that some persona has."""
        return sorted(self.knowledge(OWNER).places())

    def place_tree(self, name: str = "", *, viewer: Viewer, depth: int) -> list[KnownPlace]:
        """Return the places of this name, or the largest, each with those inside it."""
        tree = PlaceTree(sorted(self.knowledge(viewer).places()), self._entries)
        counts = Counter(
            place
            for who in chain.from_iterable(self._seen_by(viewer).values())
            for place in {value_of(f) for f in self._personas[who] if field_of(f) in PLACE_FIELDS}
        )
        start = tree.named(name) if name else tree.inside("")
        return list(tree.walk(start, depth, lambda place: counts[place]))

    def add_to_gazetteer(self, entries: Iterable[GazetteerEntry]) -> None:
        """Add what a gazetteer says of places."""
        self._entries |= {entry.place_id: entry for entry in entries}
        self._changed()

    def name_variants(self) -> tuple[LearnedVariant, ...]:
        """Return the name variants that the archive learned, also those that were revoked."""
        return tuple(self._variants[key] for key in sorted(self._variants))

    def put_name_variants(self, variants: Iterable[LearnedVariant]) -> None:
        """Store learned name variants; one of the same pair is replaced."""
        self._variants |= {variant.key: variant for variant in variants}
        self._changed()

    def check(self) -> CheckReport:
        """Compare the index with what the records say."""
        personas: dict[Position, PersonaTerms] = {}
        for group, _ in self.groups():
            personas |= _write_personas(group, self._collections[group[0].collection])
        faults = [
            f"{who[0]}: persona {who[1]} has other terms than the record gives it"
            for who in sorted(personas.keys() | self._personas.keys())
            if personas.get(who) != self._personas.get(who)
        ]
        return CheckReport(
            records=len(self._groups),
            personas=sum(not is_masked for _, _, is_masked in self._personas),
            faults=tuple(faults[:MAX_FAULTS]),
        )

    def digest(self) -> str:
        """Return a hash of the contents, the same whatever the order they came in."""
        return digest_contents(self)

    def terms_version(self) -> int:
        """Return the version of the rules by which the terms were written."""
        return TERM_RULES_VERSION  # memory does not outlive the program

    def privacy_version(self) -> int:
        """Return the version of the rules by which it was decided what the public may see."""
        return PRIVACY_RULES_VERSION

    def import_year(self) -> int:
        """Return the year of the last import; 0 if there was none."""
        return self._import_year

    def note_import(self, year: int) -> None:
        """Note the year of an import."""
        self._import_year = year

    def reindex(self, progress: Callable[[int, int], None]) -> None:
        """Write the terms of all records again, by the rules of today."""
        groups = list(self.groups())
        for done, (group, file) in enumerate(groups, start=1):
            self.write([group], file=file)
            progress(done, len(groups))

    def compile_loops(self) -> None:
        """Do nothing: the reference has no other loops."""

    def compact(self) -> None:
        """Do nothing: memory is given back at once."""

    def delete_all(self) -> None:
        """Delete every record, collection and takedown."""
        self._groups, self._personas = {}, {}
        self._collections, self._takedowns, self._journals = {}, {}, {}
        self._changed()

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def _write_personas(group: Group, collection: Collection) -> dict[Position, PersonaTerms]:
    """Return the terms of a group, and those it has where relatives are masked."""
    versions = {False: group}
    if public_years(group, collection).has_masks:
        versions[True] = mask(group, collection)
    return {
        (persona.record_key, persona.position, is_masked): persona.terms
        for is_masked, records in versions.items()
        for persona in write_terms(records, collection)
    }
