"""What expansion asks of the cluster: names, common facts, places, years.

Everything is counted on the records that are there and that the viewer may see, and cached until
the archive changes.  The names are few compared with the records, so they are read whole and
searched here.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from forebear.errors import StorageError
from forebear.normalize.gazetteer import Gazetteer
from forebear.records.privacy import Viewer
from forebear.search.expansion.clause_cache import ClauseCache
from forebear.search.expansion.knowledge import NameField
from forebear.search.expansion.learned_variants import NAME_FIELDS, LearnedVariant, pairs_of
from forebear.search.expansion.vocabulary import NameVocabulary
from forebear.search.terms.term import HAS, NOWHERE, term
from forebear.storage.opensearch.cluster import Cluster, Json
from forebear.storage.opensearch.indexes import Indexes
from forebear.storage.opensearch.queries import all_of, any_of, nested, visible_records
from forebear.storage.places import COVERED_FIELDS, Coverage, KnownPlaces, covered_places, is_common

Habits = dict[str, dict[str, int]]  # by part, how many personas have each field

NOTICED_SECONDS = 60.0
MAX_PLACES = 10_000  # of one name
PAGE_VALUES = 20_000  # a request
_ALL: Json = {"match_all": {}}
T = TypeVar("T")
_log = logging.getLogger(__name__)


class ClusterCache:
    """Caches what the cluster counted, until the archive changes.

    A change made here is noticed at once, one made by another program within a minute:
    to count what an archive normally has takes long, and an import changes it all the time.
    While the cluster does not respond, its last counts are better than none.  So nothing is
    cached here that decides who may see what.
    """

    def __init__(self, indexes: Indexes) -> None:
        self._indexes = indexes
        self._values: dict[Hashable, Any] = {}
        self._earlier: dict[Hashable, Any] = {}
        self._change = -1
        self._checked = float("-inf")
        self._lock = threading.RLock()  # lists are searched at once; one computes a value

    def get(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return the value cached under a key, computed if there is none of this moment."""
        with self._lock:
            try:
                if time.monotonic() - self._checked > NOTICED_SECONDS:
                    self._notice()
                if key not in self._values:
                    self._values[key] = self._earlier[key] = compute()
            except StorageError:
                if key not in self._earlier:
                    raise
                self._use_earlier(key)
            value: T = self._values[key]
            return value

    def clear(self) -> None:
        """Empty the cache, because the archive was changed here."""
        with self._lock:
            self._values, self._checked = {}, float("-inf")

    def _notice(self) -> None:
        change = self._indexes.change_number()
        if change != self._change:
            self._values, self._change = {}, change
        self._checked = time.monotonic()

    def _use_earlier(self, key: Hashable) -> None:
        """Use the last value for a while, instead of waiting for the cluster every time."""
        _log.warning("the cluster does not respond; its last count of %r is used", key)
        self._values.setdefault(key, self._earlier[key])
        self._change, self._checked = -1, time.monotonic()


class Counts:
    """Counts the personas and records of an archive."""

    def __init__(self, cluster: Cluster, indexes: Indexes) -> None:
        self._cluster = cluster
        self._indexes = indexes

    def years(self, among: Json = _ALL) -> tuple[int, int] | None:
        """Return the first and the last year of any event of these records."""
        ends = {name: {name: {"field": "years"}} for name in ("min", "max")}
        counted = self._aggregate({"query": among, "aggs": ends})
        first, last = (counted.get(name, {}).get("value") for name in ("min", "max"))
        return None if first is None else (int(first), int(last))

    def places(self, among: Json = _ALL) -> dict[str, int]:
        """Return how many personas of these records have each place."""
        buckets = self.values(["p.place"], among)
        counts = {bucket["key"]["p.place"]: bucket["doc_count"] for bucket in buckets}
        counts.pop(NOWHERE, None)
        return counts

    def places_named(self, name: str, among: Json = _ALL) -> tuple[str, ...]:
        """Return the places of these records whose id begins with this name, commonest first."""
        is_named = any_of([{"term": {"p.place": name}}, {"prefix": {"p.place": f"{name},"}}])
        pattern = f"{_literally(name)}(,.*)?"
        named = {"terms": {"field": "p.place", "size": MAX_PLACES, "include": pattern}}
        response = self._aggregate(
            {
                "query": {"bool": {"filter": [among, nested(is_named)]}},
                "aggs": {"p": {"nested": {"path": "p"}, "aggs": {"named": named}}},
            }
        )
        matches = response.get("p", {}).get("named", {"buckets": (), "sum_other_doc_count": 0})
        if matches["sum_other_doc_count"]:
            raise StorageError(f"more than {MAX_PLACES} places are called {name!r}")
        counts = {bucket["key"]: bucket["doc_count"] for bucket in matches["buckets"]}
        return tuple(sorted(counts, key=lambda place: (-counts[place], place)))

    def personas(self, terms: Collection[str], among: Json = _ALL) -> int:
        """Return how many personas, of these records or of all, have any of these terms."""
        test = {"terms": {"p.t": sorted(terms)}}
        response = self._aggregate(
            {
                "query": {"bool": {"filter": [among, nested(test)]}},
                "aggs": {"p": {"nested": {"path": "p"}, "aggs": {"having": {"filter": test}}}},
            }
        )
        return int(response.get("p", {}).get("having", {}).get("doc_count", 0))

    def by_term(self, terms: Collection[str], among: Json = _ALL) -> dict[str, int]:
        """Return how many personas of these records have each of these terms."""
        if not terms:
            return {}
        # Terms have no column to aggregate by, so a filter counts each term.
        having = {"filters": {"filters": {name: {"term": {"p.t": name}} for name in sorted(terms)}}}
        response = self._aggregate(
            {
                "query": {"bool": {"filter": [among, nested({"terms": {"p.t": sorted(terms)}})]}},
                "aggs": {"p": {"nested": {"path": "p"}, "aggs": {"having": having}}},
            }
        )
        buckets = response.get("p", {}).get("having", {}).get("buckets", {})
        return {name: bucket["doc_count"] for name, bucket in buckets.items()}

    def values(self, fields: list[str], among: Json = _ALL) -> Iterator[Json]:
        """Yield all combinations of values that some fields have, with how often they occur."""
        sources = [{field: {"terms": {"field": field}}} for field in fields]
        after: Json = {}
        while True:
            pages = {"composite": {"size": PAGE_VALUES, "sources": sources, **after}}
            is_nested = fields[0].startswith("p.")
            inner = {"nested": {"path": "p"}, "aggs": {"pages": pages}} if is_nested else pages
            page = self._aggregate({"query": among, "aggs": {"pages": inner}}).get("pages", {})
            page = page.get("pages", {}) if is_nested else page
            yield from page.get("buckets", ())
            if "after_key" not in page:
                return
            after = {"after": page["after_key"]}

    def _aggregate(self, body: Json) -> Json:
        """Return the aggregations of a search over all records; {} if there are none yet."""
        request = {"size": 0, **body}
        response = self._cluster.search(self._indexes.records, request, may_be_absent=True)
        aggregations: Json = response.get("aggregations", {})
        return aggregations


def _literally(text: str) -> str:
    """Return the pattern, in the cluster's syntax, that means these characters."""
    return "".join(char if char.isalnum() else f"\\{char}" for char in text)


class ClusterKnowledge(KnownPlaces):
    """The vocabulary and habits of the personas that one viewer may see."""

    def __init__(
        self,
        counts: Counts,
        cache: ClusterCache,
        gazetteer: Gazetteer,
        viewer: Viewer,
        variants: Sequence[LearnedVariant] = (),
    ) -> None:
        self._counts = counts
        self._cache = cache
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
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return {field: having / counts["record.part"] for field, having in ordered}

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

    def _keep(self, key: object, compute: Callable[[], T]) -> T:
        return self._cache.get((self._viewer, key), compute)
