"""What expansion asks of the cluster: names, common facts, places, years.

Everything is counted on the records that are there, and kept until the archive changes.
The names are few beside the records, so they are read whole and looked through here.
"""

from collections import Counter, defaultdict

from forebear.normalize.names import folds
from forebear.search.expansion.knowledge import NameField
from forebear.search.expansion.vocabulary import NameVocabulary
from forebear.search.terms.fields import HAS, term
from forebear.storage.coverage import COVERED_FIELDS, Coverage, covered_places
from forebear.storage.opensearch.cluster import Cluster
from forebear.storage.opensearch.counts import Counts
from forebear.storage.opensearch.indexes import Indexes
from forebear.storage.opensearch.remembered import Remembered
from forebear.storage.vocabulary import is_common

Habits = dict[str, dict[str, int]]  # by part, how many personas have each field


class OpenSearchKnowledge:
    """The archive's own vocabulary and habits, as its cluster has them."""

    def __init__(self, cluster: Cluster, indexes: Indexes, remembered: Remembered) -> None:
        self._counts = Counts(cluster, indexes)
        self._remembered = remembered

    def vocabulary(self, kind: NameField) -> NameVocabulary:
        """Return every distinct name of the name fields; the same object until a change."""

        def read() -> NameVocabulary:
            return NameVocabulary(bucket["key"][kind] for bucket in self._counts.values([kind]))

        return self._remembered.keep(("vocabulary", kind), read)

    def names_folding_to(self, kind: NameField, fold: str) -> frozenset[str]:
        """Return the names of the archive that have this folded form."""

        def index() -> dict[str, list[str]]:
            found: defaultdict[str, list[str]] = defaultdict(list)
            for name in self.vocabulary(kind).names:
                for form in folds(name):
                    found[form].append(name)
            return found

        return frozenset(self._remembered.keep(("folds", kind), index).get(fold, ()))

    def share(self, field: str, value: str) -> float:
        """Return which share of the personas that have the field have this value."""
        keep = self._remembered.keep
        having = keep(("having", field), lambda: self._counts.personas(term(HAS, field)))
        bearers = keep((field, value), lambda: self._counts.personas(term(field, value)))
        return bearers / having if having else 0.0

    def parts_with(self, fields: frozenset[str]) -> frozenset[str]:
        """Return the parts in which more than half of the personas have one of the fields."""
        return frozenset(
            part
            for part, having in self.habits().items()
            if any(is_common(having.get(field, 0), having["record.part"]) for field in fields)
        )

    def field_presence(self, collection: str) -> dict[str, float]:
        """Return which share of a collection's personas has each field, the commonest first."""
        counts: Counter[str] = Counter()
        for part in self.parts_of(frozenset([collection])):
            counts.update(self.habits()[part])
        found = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return {field: having / counts["record.part"] for field, having in found}

    def coverage(self, collection: str) -> Coverage:
        """Return the places and years that the records of a collection are from."""
        among = {"term": {"collection": collection}}

        def count(place: str) -> int:
            return max(self._counts.personas(term(field, place), among) for field in COVERED_FIELDS)

        def read() -> Coverage:
            first, last = self._counts.years(among) or (None, None)
            places = covered_places(self._counts.places(among), count)
            return Coverage(places=places, first_year=first, last_year=last)

        return self._remembered.keep(("coverage", collection), read)

    def places(self) -> list[str]:
        """Return the ids of all places that some persona has."""
        return sorted(self._counts.places())

    def parts_of(self, collections: frozenset[str]) -> frozenset[str]:
        """Return the parts of these collections."""
        return frozenset(part for part in self.habits() if part.rsplit("/", 2)[0] in collections)

    def places_named(self, name: str) -> tuple[str, ...]:
        """Return the ids of the places whose own name is this, the commonest first."""
        return self._remembered.keep(
            ("places", name), lambda: self._counts.places_named(f"p:{name}")
        )

    def year_range(self) -> tuple[int, int]:
        """Return the first and the last year of any event in the archive."""

        return self._remembered.keep("years", lambda: self._counts.years() or (0, 0))

    def habits(self) -> Habits:
        """Return, for each part, how many of its personas have each field.

        Every persona has the field ``record.part``, so that one counts them all.
        """
        return self._remembered.keep("habits", self.habits_now)

    def habits_now(self) -> Habits:
        """Return the same as the cluster has it at this moment, or fail."""
        parts: Habits = {}
        for bucket in self._counts.values(["p.part", "p.has"]):
            part, field = bucket["key"]["p.part"], bucket["key"]["p.has"]
            parts.setdefault(part, {})[field] = bucket["doc_count"]
        return parts
