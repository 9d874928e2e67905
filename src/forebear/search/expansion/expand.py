"""A query becomes, for one record type, its clauses and its gate.

Every row of the catalog is offered the facts of the query; a builder turns it into a
clause or leaves it out.  The facts the searcher marked ``exact`` or ``require`` become
conditions of the gate, and records outside the person's lifetime are kept out by it.
"""

from dataclasses import dataclass

from forebear.errors import QueryError
from forebear.search.expansion.catalog import CatalogRow, load_catalog
from forebear.search.expansion.clauses import Clause, Condition
from forebear.search.expansion.facts import Facts
from forebear.search.expansion.gate import Gate, build_gate
from forebear.search.expansion.levels import dates, names, people, places, words
from forebear.search.expansion.levels.names import Builder
from forebear.search.terms.fields import terms

BUILDERS: dict[str, Builder] = {
    **names.BUILDERS,
    **dates.BUILDERS,
    **places.BUILDERS,
    **people.BUILDERS,
    **words.BUILDERS,
}

# Firing one of these means that the record cannot be about the person.
IMPOSSIBLE = ("event.year.before_birth", "event.year.after_death", "event.year.before_death")
EXACT_LEVELS = ("exact", "match", "day")
# A wider rung holds every closer one; those serve the record types that have no wider.
TOLERANT_LEVELS = (
    *EXACT_LEVELS,
    *("variant", "phonetic", "initial"),
    *("month", "within2", "within5", "within10", "from_age5"),
    "county",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """What a query asks of one record type."""

    record_type: str
    clauses: tuple[Clause, ...]
    gate: Gate


def builder_of(row: CatalogRow) -> Builder:
    """Return what builds a row of the catalog."""
    return people.OTHER_BUILDERS.get(row.clause) or BUILDERS[row.level]


def expand(facts: Facts, record_type: str, *, show_impossible: bool = False) -> Expansion | None:
    """Return the expansion of a query for a record type.

    None means that the record type cannot answer: it has no such fact as the searcher
    insists on.
    """
    rows = load_catalog()[record_type]
    built = [builder_of(row)(row, facts) for row in rows]
    clauses = tuple(clause for clause in built if clause is not None)
    required = _required(facts, clauses)
    if required is None:
        return None
    # A lifetime that is only worked out lowers a record, but is too unsure to leave it out.
    is_known = any(facts.spans.get(event) for event in ("birth", "death", "burial"))
    leaves_out = is_known and not show_impossible
    excluded = tuple(c for c in clauses if leaves_out and c.name in IMPOSSIBLE)
    return Expansion(
        record_type=record_type,
        clauses=clauses,
        gate=build_gate(facts, required=required, excluded=excluded),
    )


def _required(facts: Facts, clauses: tuple[Clause, ...]) -> tuple[Condition, ...] | None:
    by_name = {clause.name: clause for clause in clauses}
    conditions = [
        _union(by_name, _subject(fact, levels), levels)
        for insisted, levels in (
            (facts.query.exact, EXACT_LEVELS),
            (facts.query.require, TOLERANT_LEVELS),
        )
        for fact in insisted
    ]
    if facts.query.collections:
        parts = facts.knowledge.parts_of(frozenset(facts.query.collections))
        conditions.append(terms("record.part", parts))
    return tuple(conditions) if all(conditions) else None


def _subject(fact: str, levels: tuple[str, ...]) -> str:
    """Return the clause subject that a fact of ``exact`` or ``require`` names."""
    subject = fact if "." in fact else f"self.{fact}"
    known = {row.clause for rows in load_catalog().values() for row in rows}
    if known.isdisjoint(f"{subject}.{level}" for level in levels):
        raise QueryError(
            f"cannot insist on {fact!r}: no record type has such a fact",
            hint="use names such as surname, given, birth.year, birth.place, spouse.given",
        )
    return subject


def _union(by_name: dict[str, Clause], subject: str, levels: tuple[str, ...]) -> Condition:
    found = (by_name.get(f"{subject}.{level}") for level in levels)
    return frozenset().union(*(clause.wanted[0] for clause in found if clause is not None))
