"""A query becomes, for one record type, its clauses and its gate.

Every row of the catalog is offered the facts of the query; a builder turns it into a
clause or skips it.  Record types share most of their clauses, so each is built once a
query.  The facts the searcher marked ``exact`` or ``require`` become conditions of the gate,
and records outside the person's lifetime are excluded by it.

Rule 11: a gap in what a kind of record never states is not held against it.  A birth names no
spouse and a directory no parents, so such a clause would only be a constant penalty.  On births and
baptisms what is said of spouse and children serves the parents' views: a mother's other husband
speaks against the record, but that none is named does not.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

from forebear.search.expansion.catalog import CatalogRow, Clause, load_catalog
from forebear.search.expansion.clauses import dates, lifetimes, names, people, places, words
from forebear.search.expansion.clauses.builder import Builder
from forebear.search.expansion.gate import Gate, build_gate, counting_clauses, required_conditions
from forebear.search.expansion.query_facts import Facts, Presence, answer_needs

BUILDERS: dict[str, Builder] = {
    **names.BUILDERS,
    **dates.BUILDERS,
    **lifetimes.BUILDERS,
    **places.BUILDERS,
    **people.BUILDERS,
    **words.BUILDERS,
}

# Whom a record type never names beside the person it is about.
NEVER_NAMED: dict[str, frozenset[str]] = {
    "birth": frozenset({"spouse", "child", "couple"}),
    "baptism": frozenset({"spouse", "child", "couple"}),
    "residence": frozenset({"father", "mother", "parents"}),
}

# Firing one of these means that the record cannot be about the person.
IMPOSSIBLE = ("event.year.before_birth", "event.year.after_death", "event.year.before_death")

# Made of what the rules infer, whatever fact that came from.
IMPLIED_NEED = -1
IMPLIED = frozenset(f"{event}.year.inferred" for event in ("birth", "death", "marriage"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """What a query compares with records of one type."""

    record_type: str
    clauses: tuple[Clause, ...]
    gate: Gate


def builder_of(row: CatalogRow) -> Builder:
    """Return what builds a row of the catalog."""
    return people.OTHER_BUILDERS.get(row.clause) or BUILDERS[row.level]


def is_compared(row: CatalogRow) -> bool:
    """Return whether a clause counts: no record is lowered for what its type never has."""
    return row.kind != "absent" or row.subject not in NEVER_NAMED.get(row.record_type, frozenset())


@cache
def _rows(record_type: str) -> tuple[tuple[int, int, CatalogRow, Builder], ...]:
    """Return the rows that are compared, with their build_key, need_key and builder."""
    rows = [row for row in load_catalog()[record_type] if is_compared(row)]
    return tuple(
        [
            (row.build_key, IMPLIED_NEED if row.clause in IMPLIED else row.need_key, row, build)
            for row, build in zip(rows, map(builder_of, rows), strict=True)
        ]
    )


def build_clauses(facts: Facts, record_type: str) -> tuple[Clause, ...]:
    """Return every clause that the facts allow for a record type, in the catalog's order."""
    built = facts.built
    clauses = []
    for build_key, row, build in _answered_rows(record_type, facts.presence):
        if build_key not in built:
            built[build_key] = facts.reuse(build_key, build, row)
        clause = built[build_key]
        if clause is not None:
            clauses.append(clause)
    return tuple(clauses)


@lru_cache(maxsize=2_000)
def _answered_rows(
    record_type: str, presence: Presence
) -> tuple[tuple[int, CatalogRow, Builder], ...]:
    """Return the rows whose needs a query answers that has these facts."""
    answered = {IMPLIED_NEED, *answer_needs(presence)}
    return tuple(
        [
            (build_key, row, build)
            for build_key, need_key, row, build in _rows(record_type)
            if need_key in answered
        ]
    )


def expand(facts: Facts, record_type: str, *, show_impossible: bool = False) -> Expansion | None:
    """Return the expansion of a query for a record type.

    None means that the record type cannot answer: it has no such fact as the searcher
    insists on.
    """
    clauses = build_clauses(facts, record_type)
    required = required_conditions(facts, clauses)
    if required is None:
        return None
    # A lifetime that is only inferred lowers a record, but is too unsure to exclude it.
    is_stated = not facts.presence.years.isdisjoint(("birth", "death", "burial"))
    excludes = is_stated and not show_impossible
    excluded = tuple(c for c in clauses if excludes and c.name in IMPOSSIBLE)
    return Expansion(
        record_type=record_type,
        clauses=counting_clauses(facts, clauses),
        gate=build_gate(facts, required=required, excluded=excluded),
    )
