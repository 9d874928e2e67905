"""What the searcher insists on: facts taken to the letter, and facts a record must have.

A fact under ``exact`` must agree to the letter, and then only its exact clauses count: that
it agrees more loosely as well says nothing more.  A fact under ``require`` must agree in some
tolerant form.  Insisting on what the query does not say, or what no record type has, is an
error: nothing would be found, and nobody would know why.
"""

from collections.abc import Iterable

from forebear.errors import QueryError
from forebear.search.expansion.catalog import Clause, Condition, load_catalog
from forebear.search.expansion.facts import Facts
from forebear.search.terms.fields import terms

EXACT_LEVELS = ("exact", "match", "day")
# A wider rung holds every closer one; those serve the record types that have no wider.
TOLERANT_LEVELS = (
    *EXACT_LEVELS,
    *("variant", "phonetic", "similar", "misread", "initial"),
    *("month", "within2", "within5", "within10", "from_age5"),
    "county",
)
SECOND = "self.surname2"  # is part of what "surname" says of a person who has two
HINT = "use names such as surname, given, birth.year, birth.place, spouse.given"


def required_conditions(facts: Facts, clauses: tuple[Clause, ...]) -> tuple[Condition, ...] | None:
    """Return what every candidate must have, or None if the record type has no such fact."""
    if not (facts.query.exact or facts.query.require or facts.query.collections):
        return ()
    by_name = {clause.name: clause for clause in clauses}
    conditions = [
        _union(by_name, subject_of(fact, levels, facts), levels)
        for insisted, levels in (
            (facts.query.exact, EXACT_LEVELS),
            (facts.query.require, TOLERANT_LEVELS),
        )
        for fact in insisted
    ]
    if "surname" in facts.query.exact and facts.names["surname2"]:
        conditions.append(_union(by_name, SECOND, EXACT_LEVELS))
    if facts.query.collections:
        parts = facts.knowledge.parts_of(frozenset(facts.query.collections))
        conditions.append(terms("record.part", parts))
    return tuple(conditions) if all(conditions) else None


def counting_clauses(facts: Facts, clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Return the clauses without the looser ones of facts that are taken to the letter."""
    if not facts.query.exact:
        return clauses
    subjects = {subject_of(fact, EXACT_LEVELS, facts) for fact in facts.query.exact}
    subjects |= {SECOND} if "self.surname" in subjects else set()
    return tuple(clause for clause in clauses if _counts(clause.name, subjects))


def subject_of(fact: str, levels: Iterable[str], facts: Facts) -> str:
    """Return the clause subject that a fact of ``exact`` or ``require`` names."""
    subject = fact if "." in fact else f"self.{fact}"
    wanted = {f"{subject}.{level}" for level in levels}
    rows = [row for rows in load_catalog().values() for row in rows if row.clause in wanted]
    if not rows:
        raise QueryError(f"cannot insist on {fact!r}: no record type has such a fact", hint=HINT)
    if all(facts.needed(row) is None for row in rows):
        raise QueryError(
            f"cannot insist on {fact!r}: the query does not say it",
            hint="give the fact, or leave it out of exact and require",
        )
    return subject


def _counts(name: str, subjects: set[str]) -> bool:
    subject, _, level = name.rpartition(".")
    return subject not in subjects or level in EXACT_LEVELS


def _union(by_name: dict[str, Clause], subject: str, levels: Iterable[str]) -> Condition:
    found = (by_name.get(f"{subject}.{level}") for level in levels)
    return frozenset().union(*(clause.any_of[0] for clause in found if clause is not None))
