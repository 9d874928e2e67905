"""What expansion asks of the cluster: names, common facts, places, years.

Everything is counted on the records that are there and that the viewer may see, and kept until
the archive changes.  The names are few beside the records, so they are read whole and looked
through here.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from forebear.normalize.gazetteer import Gazetteer
from forebear.records.privacy import Viewer
from forebear.search.expansion.clause_cache import ClauseCache
from forebear.search.expansion.knowledge import NameField
from forebear.search.expansion.learned_variants import NAME_FIELDS, LearnedVariant, pairs_of
from forebear.search.expansion.vocabulary import NameVocabulary
from forebear.search.terms.term import HAS, term
from forebear.storage.opensearch.counts import Counts
from forebear.storage.opensearch.queries import all_of, visible_records
from forebear.storage.opensearch.remembered import Remembered
from forebear.storage.places import COVERED_FIELDS, Coverage, KnownPlaces, covered_places, is_common

Habits = dict[str, dict[str, int]]  # by part, how many personas have each field
T = TypeVar("T")


class KnownInCluster(KnownPlaces):
    """The vocabulary and habits of the personas that one viewer may see."""

    def __init__(
        self,
        counts: Counts,
        remembered: Remembered,
        gazetteer: Gazetteer,
        viewer: Viewer,
        variants: Sequence[LearnedVariant] = (),
    ) -> None:
        self._counts = counts
        self._remembered = remembered
        self._gazetteer = gazetteer
        self._variants = variants
        self._viewer = viewer
        self._among = all_of(visible_records(viewer))

    @property
    def gazetteer(self) -> Gazetteer:
        """Return what was imported of places."""
        return self._gazetteer

    def clause_cache(self) -> ClauseCache:
        """Return the clauses built for the viewer; the same object until a change."""
        pairs = tuple([pairs_of(self._variants, kind) for kind in NAME_FIELDS])
        return self._keep(("clauses", pairs), ClauseCache)

    def vocabulary(self, kind: NameField) -> NameVocabulary:
        """Return every distinct name of the name fields; the same object until a change."""

        pairs = pairs_of(self._variants, kind)

        def read() -> NameVocabulary:
            names = (bucket["key"][kind] for bucket in self._counts.values([kind], self._among))
            return NameVocabulary(names, pairs, needs_both=not self._viewer.is_owner)

        return self._keep(("vocabulary", kind, pairs), read)

    def share(self, field: str, value: str) -> float:
        """Return which share of the personas that have the field have this value."""
        having, bearers = self._personas(term(HAS, field)), self._personas(term(field, value))
        return bearers / having if having else 0.0

    def shares(self, field: str, values: Iterable[str]) -> dict[str, float]:
        """Return the share of each of many values, counted in one request."""
        names = frozenset(values)
        name_terms = frozenset(term(field, value) for value in names)
        counts = self._keep(
            ("counts", name_terms), lambda: self._counts.by_term(name_terms, self._among)
        )
        having = self._personas(term(HAS, field))
        return {
            name: counts.get(term(field, name), 0) / having if having else 0.0 for name in names
        }

    def bearers(self, terms: frozenset[str]) -> int:
        """Return how many personas have any of these terms."""
        return self._keep(("bearers", terms), lambda: self._counts.personas(terms, self._among))

    def parts_with(self, fields: frozenset[str]) -> frozenset[str]:
        """Return the parts in which more than half of the personas have one of the fields."""

        def count() -> frozenset[str]:
            return frozenset(
                part
                for part, having in self.habits().items()
                if any(is_common(having.get(field, 0), having["record.part"]) for field in fields)
            )

        return self._keep(("parts", fields), count)

    def collections(self) -> frozenset[str]:
        """Return the names of the collections of which the viewer may see a record."""

        def read() -> frozenset[str]:
            buckets = self._counts.values(["collection"], self._among)
            return frozenset(bucket["key"]["collection"] for bucket in buckets)

        return self._keep("collections", read)

    def field_presence(self, collection: str) -> dict[str, float]:
        """Return which share of a collection's personas has each field, the commonest first."""
        counts: Counter[str] = Counter()
        for part in self.parts_of(frozenset([collection])):
            counts.update(self.habits()[part])
        found = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return {field: having / counts["record.part"] for field, having in found}

    def coverage(self, collection: str) -> Coverage:
        """Return the places and years that the records of a collection are from."""
        among = all_of([{"term": {"collection": collection}}, *visible_records(self._viewer)])

        def count(place: str) -> int:
            return max(
                self._counts.personas({term(field, place)}, among) for field in COVERED_FIELDS
            )

        def read() -> Coverage:
            first, last = self._counts.years(among) or (None, None)
            places = covered_places(self._counts.places(among), count)
            return Coverage(places=places, first_year=first, last_year=last)

        return self._keep(("coverage", collection), read)

    def parts_of(self, collections: frozenset[str]) -> frozenset[str]:
        """Return the parts of these collections."""
        return frozenset(part for part in self.habits() if part.rsplit("/", 2)[0] in collections)

    def places(self) -> frozenset[str]:
        """Return the ids of all places that some persona has."""
        return self._keep("all places", lambda: frozenset(self._counts.places(self._among)))

    def places_named(self, name: str) -> tuple[str, ...]:
        """Return the ids of the places whose own name is this, the commonest first."""
        return self._keep(
            ("places", name), lambda: self._counts.places_named(f"p:{name}", self._among)
        )

    def year_range(self) -> tuple[int, int]:
        """Return the first and the last year of any event in the archive."""
        return self._keep("years", lambda: self._counts.years(self._among) or (0, 0))

    def habits(self) -> Habits:
        """Return, for each part, how many of its personas have each field.

        Every persona has the field ``record.part``, so that one counts them all.
        """
        return self._keep("habits", self.habits_now)

    def habits_now(self) -> Habits:
        """Return the same as the cluster has it at this moment, or fail."""
        parts: Habits = {}
        for bucket in self._counts.values(["p.part", "p.has"], self._among):
            part, field = bucket["key"]["p.part"], bucket["key"]["p.has"]
            parts.setdefault(part, {})[field] = bucket["doc_count"]
        return parts

    def _personas(self, fact: str) -> int:
        return self._keep(("personas", fact), lambda: self._counts.personas({fact}, self._among))

    def _keep(self, key: object, work_out: Callable[[], T]) -> T:
        return self._remembered.keep((self._viewer, key), work_out)
