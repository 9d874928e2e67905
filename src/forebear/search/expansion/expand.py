"""A query becomes, for one record type, its clauses and its gate.

Every row of the catalog is offered the facts of the query; a builder turns it into a
clause or leaves it out.  Record types share most of their clauses, so each is built once a
query.  The facts the searcher marked ``exact`` or ``require`` become conditions of the gate,
and records outside the person's lifetime are kept out by it.
"""

from dataclasses import dataclass
from functools import cache

from forebear.search.expansion.catalog import CatalogRow, Clause, load_catalog
from forebear.search.expansion.facts import Facts
from forebear.search.expansion.gate import Gate, build_gate
from forebear.search.expansion.insist import counting_clauses, required_conditions
from forebear.search.expansion.levels import (
    dates,
    delays,
    names,
    people,
    places,
    times_of_life,
    together,
    words,
)
from forebear.search.expansion.levels.names import Builder
from forebear.search.expansion.rules.not_asked import is_asked

BUILDERS: dict[str, Builder] = {
    **names.BUILDERS,
    **together.BUILDERS,
    **dates.BUILDERS,
    **times_of_life.BUILDERS,
    **delays.BUILDERS,
    **places.BUILDERS,
    **people.BUILDERS,
    **words.BUILDERS,
}

# Firing one of these means that the record cannot be about the person.
IMPOSSIBLE = ("event.year.before_birth", "event.year.after_death", "event.year.before_death")

# Made of what the rules work out, whatever fact that came from.
IMPLIED_NEED = -1
IMPLIED = frozenset(f"{event}.year.inferred" for event in ("birth", "death", "marriage"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """What a query asks of one record type."""

    record_type: str
    clauses: tuple[Clause, ...]
    gate: Gate


def builder_of(row: CatalogRow) -> Builder:
    """Return what builds a row of the catalog."""
    return people.OTHER_BUILDERS.get(row.clause) or BUILDERS[row.level]


@cache
def _rows(record_type: str) -> tuple[tuple[int, int, CatalogRow, Builder], ...]:
    """Return the rows that are asked, each with its build_key, its need_key and its builder."""
    rows = [row for row in load_catalog()[record_type] if is_asked(row)]
    return tuple(
        [
            (row.build_key, IMPLIED_NEED if row.clause in IMPLIED else row.need_key, row, build)
            for row, build in zip(rows, map(builder_of, rows), strict=True)
        ]
    )


def build_clauses(facts: Facts, record_type: str) -> tuple[Clause, ...]:
    """Return every clause that the facts allow for a record type, in the catalog's order."""
    built = facts.built
    answered = {IMPLIED_NEED, *facts.needs}
    clauses = []
    for build_key, need_key, row, build in _rows(record_type):
        if need_key in answered:
            if build_key not in built:
                built[build_key] = facts.reuse(build_key, build, row)
            clause = built[build_key]
            if clause is not None:
                clauses.append(clause)
    return tuple(clauses)


def expand(facts: Facts, record_type: str, *, show_impossible: bool = False) -> Expansion | None:
    """Return the expansion of a query for a record type.

    None means that the record type cannot answer: it has no such fact as the searcher
    insists on.
    """
    clauses = build_clauses(facts, record_type)
    required = required_conditions(facts, clauses)
    if required is None:
        return None
    # A lifetime that is only worked out lowers a record, but is too unsure to leave it out.
    is_known = not facts.presence.years.isdisjoint(("birth", "death", "burial"))
    leaves_out = is_known and not show_impossible
    excluded = tuple(c for c in clauses if leaves_out and c.name in IMPOSSIBLE)
    return Expansion(
        record_type=record_type,
        clauses=counting_clauses(facts, clauses),
        gate=build_gate(facts, required=required, excluded=excluded),
    )
