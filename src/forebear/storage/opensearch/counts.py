"""How often?  What the cluster counts over all records, or over some of them."""

from collections.abc import Collection, Iterator

from forebear.errors import StorageError
from forebear.search.terms.term import NOWHERE
from forebear.storage.opensearch.answers import Json
from forebear.storage.opensearch.cluster import Cluster
from forebear.storage.opensearch.indexes import Indexes
from forebear.storage.opensearch.queries import any_of, nested

MOST_PLACES = 10_000  # of one name
PAGE_VALUES = 20_000  # a request
_ALL: Json = {"match_all": {}}


class Counts:
    """Counts the personas and records of an archive."""

    def __init__(self, cluster: Cluster, indexes: Indexes) -> None:
        self._cluster = cluster
        self._indexes = indexes

    def years(self, among: Json = _ALL) -> tuple[int, int] | None:
        """Return the first and the last year of any event of these records."""
        ends = {name: {name: {"field": "years"}} for name in ("min", "max")}
        told = self._aggregate({"query": among, "aggs": ends})
        first, last = (told.get(name, {}).get("value") for name in ("min", "max"))
        return None if first is None else (int(first), int(last))

    def places(self, among: Json = _ALL) -> dict[str, int]:
        """Return how many personas of these records have each place."""
        found = {b["key"]["p.place"]: b["doc_count"] for b in self.values(["p.place"], among)}
        found.pop(NOWHERE, None)
        return found

    def places_named(self, own: str, among: Json = _ALL) -> tuple[str, ...]:
        """Return the places of these records whose id begins with this name, commonest first."""
        is_named = any_of([{"term": {"p.place": own}}, {"prefix": {"p.place": f"{own},"}}])
        pattern = f"{_literally(own)}(,.*)?"
        named = {"terms": {"field": "p.place", "size": MOST_PLACES, "include": pattern}}
        told = self._aggregate(
            {
                "query": {"bool": {"filter": [among, nested(is_named)]}},
                "aggs": {"p": {"nested": {"path": "p"}, "aggs": {"named": named}}},
            }
        )
        found = told.get("p", {}).get("named", {"buckets": (), "sum_other_doc_count": 0})
        if found["sum_other_doc_count"]:
            raise StorageError(f"more than {MOST_PLACES} places are called {own!r}")
        counts = {bucket["key"]: bucket["doc_count"] for bucket in found["buckets"]}
        return tuple(sorted(counts, key=lambda place: (-counts[place], place)))

    def personas(self, terms: Collection[str], among: Json = _ALL) -> int:
        """Return how many personas, of these records or of all, have any of these terms."""
        asked = {"terms": {"p.t": sorted(terms)}}
        told = self._aggregate(
            {
                "query": {"bool": {"filter": [among, nested(asked)]}},
                "aggs": {"p": {"nested": {"path": "p"}, "aggs": {"having": {"filter": asked}}}},
            }
        )
        return int(told.get("p", {}).get("having", {}).get("doc_count", 0))

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
            told = self._aggregate({"query": among, "aggs": {"pages": inner}}).get("pages", {})
            found = told.get("pages", {}) if is_nested else told
            yield from found.get("buckets", ())
            if "after_key" not in found:
                return
            after = {"after": found["after_key"]}

    def _aggregate(self, body: Json) -> Json:
        """Return the aggregations of a search over all records; {} if there are none yet."""
        asked = {"size": 0, **body}
        told = self._cluster.search(self._indexes.records, asked, may_be_absent=True)
        aggregations: Json = told.get("aggregations", {})
        return aggregations


def _literally(text: str) -> str:
    """Return the pattern, in the cluster's own kind, that means these characters."""
    return "".join(char if char.isalnum() else f"\\{char}" for char in text)
