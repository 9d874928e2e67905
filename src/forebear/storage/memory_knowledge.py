"""What may a viewer know of a memory: names, places, years, counted over visible personas?"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property

from forebear.normalize.gazetteer import Gazetteer
from forebear.records.privacy import Viewer
from forebear.search.expansion.clause_cache import ClauseCache
from forebear.search.expansion.knowledge import NameField
from forebear.search.expansion.learned_variants import LearnedVariant, pairs_of
from forebear.search.expansion.vocabulary import NameVocabulary
from forebear.search.terms.term import (
    COLLECTION,
    HAS,
    NOWHERE,
    PersonaTerms,
    field_of,
    term,
    value_of,
)
from forebear.storage.places import (
    COVERED_FIELDS,
    GIVEN_FIELDS,
    PLACE_FIELDS,
    SURNAME_FIELDS,
    Coverage,
    KnownPlaces,
    covered_places,
    is_common,
    place_name,
)


class MemoryKnowledge(KnownPlaces):
    """The vocabulary and habits of some personas."""

    def __init__(
        self,
        personas: Sequence[PersonaTerms],
        gazetteer: Gazetteer,
        viewer: Viewer,
        variants: Sequence[LearnedVariant] = (),
    ) -> None:
        self._personas = personas
        self._viewer = viewer
        self._gazetteer = gazetteer
        self._variants = variants
        self._clause_cache = ClauseCache()
        self._vocabularies: dict[NameField, NameVocabulary] = {}

    @property
    def gazetteer(self) -> Gazetteer:
        """Return what was imported of places."""
        return self._gazetteer

    def clause_cache(self) -> ClauseCache:
        """Return the clauses built for the viewer; the same object until a change."""
        return self._clause_cache

    def vocabulary(self, kind: NameField) -> NameVocabulary:
        """Return every distinct name of the name fields; the same object until a change."""
        if kind not in self._vocabularies:
            self._vocabularies[kind] = NameVocabulary(
                self._names(kind),
                pairs_of(self._variants, kind),
                needs_both=not self._viewer.is_owner,
            )
        return self._vocabularies[kind]

    def share(self, field: str, value: str) -> float:
        """Return which share of the personas that have the field have this value."""
        having = self._counts[term(HAS, field)]
        return self._counts[term(field, value)] / having if having else 0.0

    def shares(self, field: str, values: Iterable[str]) -> dict[str, float]:
        """Return the share of each of many values."""
        return {value: self.share(field, value) for value in values}

    def bearers(self, terms: frozenset[str]) -> int:
        """Return how many personas have any of these terms."""
        return sum(not terms.isdisjoint(persona) for persona in self._personas)

    def parts_with(self, fields: frozenset[str]) -> frozenset[str]:
        """Return the parts in which more than half of the personas have one of the fields."""
        return frozenset(
            part
            for part, having in self._habits.items()
            if any(is_common(having[field], having["record.part"]) for field in fields)
        )

    def parts_of(self, collections: frozenset[str]) -> frozenset[str]:
        """Return the parts of these collections."""
        return frozenset(part for part in self._habits if part.rsplit("/", 2)[0] in collections)

    def collections(self) -> frozenset[str]:
        """Return the names of the collections of which the viewer may see a record."""
        return frozenset(self._values({COLLECTION}))

    def field_presence(self, collection: str) -> dict[str, float]:
        """Return which share of a collection's personas has each field, the commonest first."""
        personas = self._of_collection(collection)
        counts = Counter(value_of(f) for p in personas for f in p if field_of(f) == HAS)
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return {field: having / len(personas) for field, having in ordered}

    def coverage(self, collection: str) -> Coverage:
        """Return the places and years that the records of a collection are from."""
        personas = self._of_collection(collection)
        years = {int(value_of(f)) for p in personas for f in p if field_of(f) == "event.year"}
        counts = Counter(f for p in personas for f in p if field_of(f) in COVERED_FIELDS)
        return Coverage(
            places=covered_places(
                {value_of(fact) for fact in counts},
                lambda place: max(counts[term(field, place)] for field in COVERED_FIELDS),
            ),
            first_year=min(years, default=None),
            last_year=max(years, default=None),
        )

    def places(self) -> frozenset[str]:
        """Return the ids of all places that some persona has."""
        return self._places

    def places_named(self, name: str) -> tuple[str, ...]:
        """Return the ids of the places whose own name is this, the commonest first."""
        ids = self._placed.get(name, Counter())
        return tuple(sorted(ids, key=lambda id_: (-ids[id_], id_)))

    def year_range(self) -> tuple[int, int]:
        """Return the first and the last year of any event in the archive."""
        years = [int(value) for value in self._values({"event.year"})]
        return (min(years), max(years)) if years else (0, 0)

    @cached_property
    def _counts(self) -> Counter[str]:
        """How many personas have each term."""
        return Counter(fact for persona in self._personas for fact in persona)

    @cached_property
    def _habits(self) -> dict[str, Counter[str]]:
        """How many personas of each part have each field; all have ``record.part``."""
        having: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for persona in self._personas:
            part = next(value_of(f) for f in persona if field_of(f) == "record.part")
            having[part].update(value_of(f) for f in persona if field_of(f) == HAS)
        return having

    @cached_property
    def _placed(self) -> dict[str, Counter[str]]:
        """How many personas have each place, by the place's own name."""
        placed: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for persona in self._personas:
            for id_, name in {(value_of(f), place_name(f)) for f in persona if place_name(f)}:
                placed[name][id_] += 1
        return placed

    @cached_property
    def _places(self) -> frozenset[str]:
        return frozenset(self._values(PLACE_FIELDS) - {NOWHERE})

    def _names(self, kind: NameField) -> set[str]:
        return self._values(SURNAME_FIELDS if kind == "surname" else GIVEN_FIELDS)

    def _values(self, fields: frozenset[str] | set[str]) -> set[str]:
        return {value_of(fact) for fact in self._counts if field_of(fact) in fields}

    def _of_collection(self, collection: str) -> list[PersonaTerms]:
        return [p for p in self._personas if term(COLLECTION, collection) in p]
