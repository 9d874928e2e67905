"""The reference storage: everything in plain Python sets, slow and obviously right.

It asks every persona of a list every question, with ``Clause.fires_on`` itself.  The other
storages are held to its answers by the contract suite, and tests use it where a storage
is needed and speed is not.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from forebear.errors import StorageError
from forebear.normalize.names import folds
from forebear.records.collections import Collection
from forebear.records.privacy import NEVER, Viewer, public_year
from forebear.records.record import Record
from forebear.search.expansion.clauses import Condition
from forebear.search.expansion.knowledge import NameField
from forebear.search.record_search.narrow import narrow
from forebear.search.record_search.rank import tie_key
from forebear.search.record_search.ranked_list import Hit, ListSearch, RankedList
from forebear.search.terms.fields import COLLECTION, HAS, PersonaTerms, field_of, term, value_of
from forebear.search.terms.write import write_terms
from forebear.storage.vocabulary import GIVEN_FIELDS, SURNAME_FIELDS, is_common, place_name

Position = tuple[str, int]  # a persona: its record's key and its position there


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    records: tuple[Record, ...]
    public_year: int


class MemoryStorage:
    """An archive's records in memory; implements record search, knowledge and writing."""

    def __init__(self) -> None:
        self._collections: dict[str, Collection] = {}
        self._groups: dict[str, _Group] = {}  # by the key of each record in it
        self._personas: dict[Position, PersonaTerms] = {}
        self._takedowns: dict[str, str] = {}

    def put_collection(self, collection: Collection) -> None:
        """Add a collection, or say something new of it."""
        self._collections[collection.name] = collection

    def write(self, groups: Sequence[tuple[Record, ...]]) -> None:
        """Write groups of records; a record that is there already is replaced, group and all."""
        for group in groups:
            self.delete(record.key for record in group)
            collection = self._collections.get(group[0].collection)
            if collection is None:
                raise StorageError(f"collection {group[0].collection!r} is not in the archive")
            stored = _Group(records=group, public_year=public_year(group, collection))
            for record in group:
                self._groups[record.key] = stored
            for persona in write_terms(group, collection):
                self._personas[persona.record_key, persona.position] = persona.terms

    def delete(self, record_keys: Iterable[str]) -> None:
        """Delete records, each with its whole group."""
        for key in record_keys:
            group = self._groups.get(key)
            for record in group.records if group else ():
                del self._groups[record.key]
                for position in range(len(record.personas)):
                    self._personas.pop((record.key, position), None)

    def delete_collection(self, name: str) -> int:
        """Delete a collection with its records and return how many there were."""
        keys = [key for key in self._groups if key.partition(":")[0] == name]
        self.delete(keys)
        self._collections.pop(name, None)
        return len(keys)

    def take_down(self, record_key: str, *, reason: str, at: str) -> None:
        """Hide a record from the public for good, however often it is imported again."""
        del at  # nobody asks the memory when
        self._takedowns[record_key] = reason

    def restore(self, record_key: str) -> None:
        """Take a takedown back."""
        self._takedowns.pop(record_key, None)

    def takedowns(self) -> dict[str, str]:
        """Return the records taken down, and why."""
        return dict(sorted(self._takedowns.items()))

    def find(self, search: ListSearch, *, viewer: Viewer, top: int) -> RankedList:
        """Return the best records the viewer may see, each once, under its best persona."""
        started = time.perf_counter()
        gate = search.gate
        allowed = self._allowed(search, viewer)
        candidates, steps = narrow(
            [self._holding(branch.conditions, allowed) for branch in gate.branches],
            [self._holding([condition], allowed) for condition in gate.refinements],
            limit=gate.limit,
        )
        possible = [
            who
            for who in candidates
            if not any(clause.fires_on(self._personas[who]) for clause in gate.excluded)
        ]
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

    def _allowed(self, search: ListSearch, viewer: Viewer) -> frozenset[Position]:
        lists = frozenset(term(COLLECTION, name) for name in search.collections)
        visible = {who for who in self._personas if self._visible(who[0], viewer)}
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

    def _score(self, search: ListSearch, candidates: Iterable[Position]) -> tuple[Hit, ...]:
        best: dict[str, Hit] = {}
        for key, position in sorted(candidates):
            persona = self._personas[key, position]
            fired = [clause.fires_on(persona) for clause in search.clauses]
            score = sum(
                weight for weight, fires in zip(search.weights, fired, strict=True) if fires
            )
            if key not in best or score > best[key].score:
                names = (c.name for c, fires in zip(search.clauses, fired, strict=True) if fires)
                best[key] = Hit(record_key=key, position=position, score=score, fired=tuple(names))
        return tuple(sorted(best.values(), key=lambda hit: (-hit.score, tie_key(hit.record_key))))

    def get(self, record_key: str, *, viewer: Viewer) -> Record | None:
        """Return a record, or None if there is none that the viewer may see."""
        group = self.group_of(record_key, viewer=viewer)
        return next((record for record in group if record.key == record_key), None)

    def group_of(self, record_key: str, *, viewer: Viewer) -> tuple[Record, ...]:
        """Return all records of the record's group, itself included."""
        return self._groups[record_key].records if self._visible(record_key, viewer) else ()

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
        group = self._groups.get(record_key)
        if group is None:
            return False
        is_hidden = any(record.key in self._takedowns for record in group.records)
        return viewer.may_see(NEVER if is_hidden else group.public_year)

    def names_folding_to(self, kind: NameField, fold: str) -> frozenset[str]:
        """Return the names of the archive that have this folded form."""
        fields = SURNAME_FIELDS if kind == "surname" else GIVEN_FIELDS
        names = {
            value_of(fact)
            for persona in self._personas.values()
            for fact in persona
            if field_of(fact) in fields
        }
        return frozenset(name for name in names if fold in folds(name))

    def surname_share(self, surname: str) -> float:
        """Return which share of the personas with a surname bear this one."""
        bearers = [term("self.surname", surname) in p for p in self._personas.values()]
        named = sum(term(HAS, "self.surname") in p for p in self._personas.values())
        return sum(bearers) / named if named else 0.0

    def parts_with(self, fields: frozenset[str]) -> frozenset[str]:
        """Return the parts in which more than half of the personas have one of the fields."""
        having: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for persona in self._personas.values():
            part = next(value_of(f) for f in persona if field_of(f) == "record.part")
            having[part]["personas"] += 1
            having[part].update(field for field in fields if term(HAS, field) in persona)
        return frozenset(
            part
            for part, counts in having.items()
            if any(is_common(counts[field], counts["personas"]) for field in fields)
        )

    def parts_of(self, collections: frozenset[str]) -> frozenset[str]:
        """Return the parts of these collections."""
        return frozenset(
            part for part in self._values("record.part") if part.rsplit("/", 2)[0] in collections
        )

    def places_named(self, name: str) -> tuple[str, ...]:
        """Return the ids of the places whose own name is this, the commonest first."""
        ids: Counter[str] = Counter()
        for persona in self._personas.values():
            ids.update({value_of(f) for f in persona if place_name(f) == name})
        return tuple(sorted(ids, key=lambda id_: (-ids[id_], id_)))

    def year_range(self) -> tuple[int, int]:
        """Return the first and the last year of any event in the archive."""
        years = [int(value) for value in self._values("event.year")]
        return (min(years), max(years)) if years else (0, 0)

    def _values(self, field: str) -> set[str]:
        return {
            value_of(fact)
            for persona in self._personas.values()
            for fact in persona
            if field_of(fact) == field
        }
