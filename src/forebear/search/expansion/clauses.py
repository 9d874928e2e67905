"""The clause: one test that a persona passes or fails.

A clause is the currency of the whole system.  Expansion writes clauses, storage matches
them, a model weighs them, an explanation lists them, and a training set has one column
for each.  So a clause is named once, in the catalog, and its name never depends on what
the user typed: ``self.surname.phonetic`` is the same feature for Smith and for Nowak.

The six kinds of the catalog are one shape.  A *condition* is a set of terms, and holds
when the persona has any of them.  A clause fires when at least ``least`` of its wanted
conditions hold and none of its unwanted ones:

    term, flag   one wanted condition
    all          every wanted condition
    count        at least n wanted conditions
    absent       wanted: a part of the archive that normally has the fact;
                 unwanted: the marker that the persona has it
    conflict     wanted: the marker that the persona has the field;
                 unwanted: every term that would still be tolerable

A conflict about the record's own event speaks only of the person the record is about: a
baptism twenty years after the father's birth contradicts nothing.  Then being that person
is wanted as well.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from forebear.errors import QueryError
from forebear.search.expansion.catalog import CatalogRow
from forebear.search.terms.fields import PersonaTerms, has, terms

ClauseKind = Literal["term", "all", "count", "absent", "conflict", "flag"]
Condition = frozenset[str]
PRINCIPAL: Condition = frozenset({"record.role=principal"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One test on a persona."""

    name: str  # in the catalog, such as "self.surname.phonetic"
    kind: ClauseKind
    wanted: tuple[Condition, ...]
    least: int = 1
    unwanted: Condition = frozenset()
    rule: str = ""  # numbers of the transformation rules that made it
    note: str = ""  # what a rule worked out to make it, for the explanation

    def __post_init__(self) -> None:
        if not self.wanted or not all(self.wanted):
            raise QueryError(f"clause {self.name!r} has no terms to match")

    def fires_on(self, persona: PersonaTerms) -> bool:
        """Say whether the persona passes; the storages' definition of every clause."""
        held = sum(not condition.isdisjoint(persona) for condition in self.wanted)
        return held >= self.least and self.unwanted.isdisjoint(persona)


def term_clause(row: CatalogRow, condition: Iterable[str], *, note: str = "") -> Clause | None:
    """Return the clause that asks for any of these terms; nothing to ask, no clause."""
    asked = frozenset(condition)
    if not asked:
        return None
    return Clause(name=row.clause, kind=row.kind, wanted=(asked,), rule=row.rule, note=note)


def all_clause(
    row: CatalogRow, conditions: Sequence[Condition], *, note: str = ""
) -> Clause | None:
    """Return the clause that asks for every one of these conditions."""
    if len(conditions) < 2 or not all(conditions):
        return None
    return Clause(
        name=row.clause,
        kind="all",
        wanted=tuple(conditions),
        least=len(conditions),
        rule=row.rule,
        note=note,
    )


def count_clause(row: CatalogRow, conditions: Iterable[Condition], least: int) -> Clause | None:
    """Return the clause that asks for so many of these conditions, equal ones being one."""
    distinct = tuple(dict.fromkeys(condition for condition in conditions if condition))
    if len(distinct) < least:
        return None
    return Clause(name=row.clause, kind="count", wanted=distinct, least=least, rule=row.rule)


def absent_clause(row: CatalogRow, parts: frozenset[str]) -> Clause | None:
    """Return the clause that says a fact is missing where these parts normally have it."""
    where = _in_parts(parts)
    if not where:
        return None
    absent = has(*row.fields[:-1])
    return Clause(name=row.clause, kind="absent", wanted=(where,), unwanted=absent, rule=row.rule)


def conflict_clause(
    row: CatalogRow,
    tolerable: Iterable[str],
    *,
    of_principal: bool = False,
    note: str = "",
) -> Clause | None:
    """Return the clause that says the record has the field, and nothing tolerable in it."""
    tolerated = frozenset(tolerable)
    if not tolerated:
        return None
    has_field = has(row.fields[0])
    wanted = (has_field, PRINCIPAL) if of_principal else (has_field,)
    return Clause(
        name=row.clause,
        kind="conflict",
        wanted=wanted,
        least=len(wanted),
        unwanted=tolerated,
        rule=row.rule,
        note=note,
    )


@lru_cache(maxsize=256)
def _in_parts(parts: frozenset[str]) -> Condition:
    """Return the terms of parts of the archive, which are many and stay the same for long."""
    return terms("record.part", parts)
