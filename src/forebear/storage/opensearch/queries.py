"""A search in the cluster's own language: the gate as a filter, the clauses as a score.

A clause becomes a function that adds its weight where it fires.  The cluster takes no
negative weights; one counts its absolute value where its clause does *not* fire, and the sum
of those is taken off again from what comes back.  A constant is added so that no sum
is zero.  Weights are whole 64ths of a bit and the sums stay below what a 32-bit float counts
exactly in such steps, so the score survives the journey to the last bit.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from forebear.errors import QueryError
from forebear.records.privacy import Viewer
from forebear.search.expansion.catalog import Clause, Condition
from forebear.search.expansion.gate import Gate
from forebear.search.model import UNITS_PER_BIT

Json = dict[str, Any]
Branches = tuple[tuple[Condition, ...], ...]

TERMS = "p.t"
# The documents that are records: a masked one is next to that of its record.
UNMASKED: Json = {"bool": {"must_not": [{"exists": {"field": "until"}}]}}
LARGEST_SUM = 2**24 - 1  # in 64ths of a bit; above, a 32-bit float skips some


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A test on personas: one of several branches, of each of which all conditions hold.

    It is the set of personas that pass, so gates are narrowed on formulas by the same rule as on
    bitmaps; the cluster counts how many pass.
    """

    branches: Branches
    count: Callable[[Json], int]  # how many personas pass a query, among those allowed

    @property
    def query(self) -> Json:
        """The same test as a query."""
        return any_branch(self.branches)

    def __or__(self, other: "Formula") -> "Formula":
        return Formula(branches=(*self.branches, *other.branches), count=self.count)

    def __and__(self, other: "Formula") -> "Formula":
        pairs = [(*one, *two) for one in self.branches for two in other.branches]
        return Formula(branches=tuple(pairs), count=self.count)

    def __len__(self) -> int:
        return self.count(self.query)


def holding(conditions: Sequence[Condition], count: Callable[[Json], int]) -> Formula:
    """Return the formula that all these conditions hold."""
    return Formula(branches=(tuple(conditions),), count=count)


def any_branch(branches: Branches) -> Json:
    """Return the query that all conditions of one of the branches hold.

    A condition is a list of hundreds of terms, which the cluster looks up wherever it is written,
    so one that several branches have is taken out of them: a b + a c + d is a (b + c) + d.
    """
    if not branches:
        return {"match_none": {}}
    if not all(branches):
        return {"match_all": {}}
    counts = Counter(condition for branch in branches for condition in dict.fromkeys(branch))
    # Of those that most branches have, the longest.
    shared, uses = max(counts.items(), key=lambda item: (item[1], len(item[0])))
    if uses == 1:
        return any_of([all_of([has_any(c) for c in branch]) for branch in branches])
    inside = [tuple(c for c in branch if c != shared) for branch in branches if shared in branch]
    outside = tuple(branch for branch in branches if shared not in branch)
    query = has_any(shared)
    if all(inside):
        query = all_of([query, any_branch(tuple(inside))])
    return any_of([query, any_branch(outside)]) if outside else query


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
    if len(queries) == 1:
        return queries[0]
    return {"bool": {"should": list(queries), "minimum_should_match": 1}}


def fires(clause: Clause) -> Json:
    """Return the query for personas on which a clause fires."""
    tests = [has_any(condition) for condition in clause.any_of]
    if len(tests) == 1 and not clause.none_of:
        return tests[0]
    if clause.least >= len(tests):
        body: Json = {"filter": tests}
    else:
        body = {"should": tests, "minimum_should_match": clause.least}
    if clause.none_of:
        body["must_not"] = [has_any(clause.none_of)]
    return {"bool": body}


def possible(candidates: Json, gate: Gate) -> Json:
    """Return the query for candidates whom no date makes impossible."""
    if not gate.excluded:
        return candidates
    impossible = [fires(clause) for clause in gate.excluded]
    return {"bool": {"filter": [candidates], "must_not": impossible}}


def nested(query: Json) -> Json:
    """Return the query for records with a persona that passes."""
    return {"nested": {"path": "p", "query": query, "score_mode": "none"}}


def allowed_records(collections: Sequence[str], viewer: Viewer) -> list[Json]:
    """Return the filters for the records of some collections that the viewer may see."""
    return [{"terms": {"collection": list(collections)}}, *visible_records(viewer)]


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


def score_from(number: float, weights: Iterable[int]) -> int:
    """Return our score, in 64ths of a bit, from the number that the cluster returns."""
    return round(number * UNITS_PER_BIT) - 1 + sum(weight for weight in weights if weight < 0)


def as_text(query: Json) -> str:
    """Return a query as text, the same for the same query."""
    return json.dumps(query, sort_keys=True)
