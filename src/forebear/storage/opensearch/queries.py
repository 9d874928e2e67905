"""A search in the cluster's own language: the gate as a filter, the clauses as a score.

A clause becomes a function that adds its weight where it fires.  The cluster takes no
negative weights; one counts its absolute value where its clause does *not* fire, and the sum
of those is taken off again from what comes back.  A constant is added so that nobody's sum
is zero.  Weights are whole 64ths of a bit and the sums stay below what a 32-bit float counts
exactly in such steps, so the score survives the journey to the last bit.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from forebear.errors import QueryError
from forebear.records.privacy import Viewer
from forebear.search.expansion.catalog import Clause, Condition
from forebear.search.expansion.gate import Gate
from forebear.search.model import UNITS_PER_BIT
from forebear.search.record_search.ranked_list import ListSearch
from forebear.search.terms.term import PersonaTerms

Json = dict[str, Any]

TERMS = "p.t"
# The documents that are records: a masked one stands beside that of its record.
UNMASKED: Json = {"bool": {"must_not": [{"exists": {"field": "until"}}]}}
LARGEST_SUM = 2**24 - 1  # in 64ths of a bit; above, a 32-bit float skips some


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A test on personas, as the cluster is asked it and as we ask it of a hit.

    It stands for the set of personas that pass, so gates are narrowed on formulas by the
    same rule as on bitmaps; how many pass is known by asking.
    """

    query: Json
    holds: Callable[[PersonaTerms], bool]
    count: Callable[[Json], int]  # how many personas pass a query, among those allowed

    def __or__(self, other: "Formula") -> "Formula":
        return Formula(
            query=any_of([self.query, other.query]),
            holds=lambda terms: self.holds(terms) or other.holds(terms),
            count=self.count,
        )

    def __and__(self, other: "Formula") -> "Formula":
        return Formula(
            query=all_of([self.query, other.query]),
            holds=lambda terms: self.holds(terms) and other.holds(terms),
            count=self.count,
        )

    def __len__(self) -> int:
        return self.count(self.query)


def holding(conditions: Sequence[Condition], count: Callable[[Json], int]) -> Formula:
    """Return the formula that all these conditions hold."""
    return Formula(
        query=all_of([has_any(condition) for condition in conditions]),
        holds=lambda terms: not any(condition.isdisjoint(terms) for condition in conditions),
        count=count,
    )


def has_any(condition: Condition) -> Json:
    """Return the query for personas with any of these terms."""
    return {"terms": {TERMS: sorted(condition)}}


def all_of(queries: Sequence[Json]) -> Json:
    """Return the query that all of these hold."""
    if not queries:
        return {"match_all": {}}
    return queries[0] if len(queries) == 1 else {"bool": {"filter": list(queries)}}


def any_of(queries: Sequence[Json]) -> Json:
    """Return the query that any of these holds."""
    return {"bool": {"should": list(queries), "minimum_should_match": 1}}


def fires(clause: Clause) -> Json:
    """Return the query for personas on which a clause fires."""
    wanted = [has_any(condition) for condition in clause.any_of]
    if len(wanted) == 1 and not clause.none_of:
        return wanted[0]
    if clause.least >= len(wanted):
        body: Json = {"filter": wanted}
    else:
        body = {"should": wanted, "minimum_should_match": clause.least}
    if clause.none_of:
        body["must_not"] = [has_any(clause.none_of)]
    return {"bool": body}


def possible(candidates: Json, gate: Gate) -> Json:
    """Return the query for candidates whom no date makes impossible."""
    if not gate.excluded:
        return candidates
    unwanted = [fires(clause) for clause in gate.excluded]
    return {"bool": {"filter": [candidates], "must_not": unwanted}}


def nested(query: Json) -> Json:
    """Return the query for records with a persona that passes."""
    return {"nested": {"path": "p", "query": query, "score_mode": "none"}}


def allowed_records(search: ListSearch, viewer: Viewer) -> list[Json]:
    """Return the filters for the records of the list that the viewer may see."""
    return [{"terms": {"collection": list(search.collections)}}, *visible_records(viewer)]


def visible_records(viewer: Viewer) -> list[Json]:
    """Return the filters for the documents that a viewer may see: one for each record."""
    if viewer.is_owner:
        return [UNMASKED]
    ended = {"range": {"until": {"lte": viewer.year}}}
    public = {"range": {"public_year": {"lte": viewer.year}}}
    return [{"bool": {"filter": [public], "must_not": [ended]}}]


def best_score(query: Json, clauses: Sequence[Clause], weights: Sequence[int]) -> Json:
    """Return the query that gives a record the best score of its personas that pass."""
    functions: list[Json] = [{"weight": 1 / UNITS_PER_BIT}]
    for clause, weight in zip(clauses, weights, strict=True):
        if weight > 0:
            functions.append({"filter": fires(clause), "weight": weight / UNITS_PER_BIT})
        elif weight < 0:
            silent = {"bool": {"must_not": [fires(clause)]}}
            functions.append({"filter": silent, "weight": -weight / UNITS_PER_BIT})
    if sum(map(abs, weights)) >= LARGEST_SUM:
        raise QueryError(f"the weights of {len(weights)} clauses are too large to add up exactly")
    scored = {
        "query": {"bool": {"filter": [query]}},
        "score_mode": "sum",
        "boost_mode": "replace",
        "functions": functions,
    }
    return {"nested": {"path": "p", "query": {"function_score": scored}, "score_mode": "max"}}


def score_from(told: float, weights: Iterable[int]) -> int:
    """Return our score, in 64ths of a bit, from the number that the cluster tells."""
    return round(told * UNITS_PER_BIT) - 1 + sum(weight for weight in weights if weight < 0)


def as_text(query: Json) -> str:
    """Return a query as text, the same for the same query."""
    return json.dumps(query, sort_keys=True)
