"""Which clauses does each record type have, and what is a clause?

A clause is one test that a persona passes or fails.  It is the currency of the whole system:
expansion writes clauses, storage matches them, a model weighs them, an explanation lists them,
and a training set has one column for each.  So a clause is named once, in the catalog, and its
name never depends on what the user typed: ``self.surname.phonetic`` is the same feature for
Smith and for Nowak.

The catalog is data.  The table ``search/clauses`` states each clause once, with the record types
that have it (``*`` for all, ``* -census`` for all but one); ``search/clauses_by_type`` states what
differs for some of these types, an empty cell meaning that nothing does.

The six kinds of clauses are one shape.  A *condition* is a set of terms, and holds when the
persona has any of them.  A clause fires when at least ``least`` of the conditions in ``any_of``
hold and the persona has no term of ``none_of``:

    term, flag   one condition; none_of, if any: what explains the terms differently
    all          every condition
    count        at least n conditions
    absent       any_of: a part of the archive that normally has the fact;
                 none_of: the marker that the persona has it
    conflict     any_of: the marker that the persona has the field;
                 none_of: every term that would still be compatible

A conflict about the record's own event speaks only of the person the record is about: a
baptism twenty years after the father's birth contradicts nothing.  Then being that person
is a condition as well.  In the same way the day and place of a baptism agree with a query's birth
only on the child and not on its parents: a term clause whose last field is ``record.role`` fires
only on the person the record is about.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, NamedTuple, cast

from forebear.errors import QueryError
from forebear.records.collections import RECORD_TYPES
from forebear.search.terms.term import PersonaTerms, has, terms
from forebear.tables import read_table

# What a clause means differs from type to type: each type has its own windows of years.
VARYING = frozenset(
    f"event.year.{level}" for level in ("usual", "unusual", "in_lifespan", "after_death")
) | {"self.marital.match", "self.marital.conflict", "event.age.not_parent"}
# On these a child may be entered under a parent's surname (rule 4).
CHILD_TYPES = frozenset({"birth", "baptism", "court"})

ClauseKind = Literal["term", "all", "count", "absent", "conflict", "flag"]
Condition = frozenset[str]
PRINCIPAL: Condition = frozenset({"record.role=principal"})


class CatalogRow(NamedTuple):
    """A clause as the catalog declares it for one record type."""

    record_type: str
    clause: str
    polarity: int  # +1 speaks for the record, -1 against it
    kind: ClauseKind
    fields: tuple[str, ...]
    needs: tuple[tuple[str, ...], ...]  # each: alternatives, the first the query has
    rule: str  # numbers of the transformation rules that shape it
    words: str  # what it says, as shown to people
    build_key: int = 0  # a number that rows share which are built alike
    need_key: int = 0  # a number that rows share whose needs the same facts answer

    @property
    def subject(self) -> str:
        """Return whom or what the clause is about: self, father, birth, event, family."""
        return self.clause.partition(".")[0]

    @property
    def level(self) -> str:
        """Return the fact and level that decide how the clause is built."""
        return ".".join(self.clause.split(".")[-2:])


@cache
def load_catalog() -> dict[str, tuple[CatalogRow, ...]]:
    """Return the rows of the catalog by record type.

    Record types share most clauses, so rows that are built alike have one number: each is
    built once a query.
    """
    rows: dict[str, list[CatalogRow]] = {name: [] for name in RECORD_TYPES}
    differing: dict[str, list[dict[str, str]]] = {}
    for row in read_table("search/clauses_by_type"):
        differing.setdefault(row["clause"], []).append(row)
    build_keys: dict[tuple[object, ...], int] = {}
    need_keys: dict[tuple[object, ...], int] = {}
    for stated in read_table("search/clauses"):
        types = types_of(stated["types"])
        for row in differing.get(stated["clause"], ()):
            own_types = row.pop("types").split()
            types = tuple([name for name in types if name not in own_types])
            changed = {column: value for column, value in row.items() if value}
            _add_rows(rows, {**stated, **changed}, own_types, build_keys, need_keys)
        _add_rows(rows, stated, types, build_keys, need_keys)
    return {record_type: tuple(clauses) for record_type, clauses in rows.items()}


def _add_rows(
    rows: dict[str, list[CatalogRow]],
    cells: dict[str, str],
    types: Sequence[str],
    build_keys: dict[tuple[object, ...], int],
    need_keys: dict[tuple[object, ...], int],
) -> None:
    """Add a clause to the record types for which all its cells are the same."""
    clause, needs = cells["clause"], cells["needs"]
    polarity = 1 if cells["polarity"] == "+" else -1
    of_clause = (
        clause,
        polarity,
        cast(ClauseKind, cells["kind"]),
        tuple(cells["fields"].split()),
        tuple([tuple(need.split("|")) for need in needs.split()]),
        cells["rule"],
        cells["words"],
    )
    built = (clause, cells["fields"], needs, cells["rule"])
    needs_event = "event." in needs  # and which events those are depends on the record type
    varies = needs_event or clause in VARYING or clause == "self.surname.conflict"
    build_key = build_keys.setdefault((built, ()), len(build_keys))
    need_key = need_keys.setdefault((needs, ()), len(need_keys))
    # Every search begins with these 3,196 pairs of a clause and a type.
    for record_type in types:
        if varies:
            by_event = (record_type, polarity) if needs_event else ()
            need_key = need_keys.setdefault((needs, by_event), len(need_keys))
            by_type: object = record_type if clause in VARYING else by_event
            if clause == "self.surname.conflict":
                by_type = record_type in CHILD_TYPES
            build_key = build_keys.setdefault((built, by_type), len(build_keys))
        rows[record_type].append(CatalogRow(record_type, *of_clause, build_key, need_key))


def types_of(text: str) -> tuple[str, ...]:
    """Return the record types that a cell of the catalog names.

    >>> types_of("* -family_tree") == tuple(t for t in RECORD_TYPES if t != "family_tree")
    True
    """
    names = text.split()
    if names[:1] != ["*"]:
        return tuple(names)
    excluded = {name.removeprefix("-") for name in names[1:]}
    return tuple(name for name in RECORD_TYPES if name not in excluded)


@cache
def clause_words(record_type: str, clause: str) -> str:
    """Return what a clause says, in words."""
    rows = load_catalog()[record_type]
    return next(row.words for row in rows if row.clause == clause)


@cache
def rule_titles() -> dict[str, str]:
    """Return the title of each transformation rule by its number."""
    return {row["number"]: row["title"] for row in read_table("search/rules")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One test on a persona."""

    name: str  # in the catalog, such as "self.surname.phonetic"
    kind: ClauseKind
    any_of: tuple[Condition, ...]
    least: int = 1
    none_of: Condition = frozenset()
    rule: str = ""  # numbers of the transformation rules that made it
    note: str = ""  # what a rule inferred to make it, for the explanation

    def __post_init__(self) -> None:
        if not self.any_of or not all(self.any_of):
            raise QueryError(f"clause {self.name!r} has no terms to match")

    def fires_on(self, persona: PersonaTerms) -> bool:
        """Return whether the persona passes; the storages' definition of every clause."""
        held = sum(not condition.isdisjoint(persona) for condition in self.any_of)
        return held >= self.least and self.none_of.isdisjoint(persona)


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """One way through a gate: every condition must hold."""

    name: str
    conditions: tuple[Condition, ...]


def term_clause(
    row: CatalogRow,
    condition: Iterable[str],
    *,
    none_of: Condition = frozenset(),
    note: str = "",
) -> Clause | None:
    """Return the clause that asks for any of these terms; nothing to ask, no clause."""
    any_term = frozenset(condition)
    if not any_term:
        return None
    any_of = (any_term, PRINCIPAL) if row.fields[-1] == "record.role" else (any_term,)
    return Clause(
        name=row.clause,
        kind=row.kind,
        any_of=any_of,
        least=len(any_of),
        none_of=none_of,
        rule=row.rule,
        note=note,
    )


def all_clause(
    row: CatalogRow, conditions: Sequence[Condition], *, note: str = ""
) -> Clause | None:
    """Return the clause that asks for every one of these conditions."""
    if len(conditions) < 2 or not all(conditions):
        return None
    return Clause(
        name=row.clause,
        kind="all",
        any_of=tuple(conditions),
        least=len(conditions),
        rule=row.rule,
        note=note,
    )


def count_clause(row: CatalogRow, conditions: Iterable[Condition], least: int) -> Clause | None:
    """Return the clause that asks for ``least`` of these conditions, equal ones being one."""
    distinct = tuple(dict.fromkeys(condition for condition in conditions if condition))
    if len(distinct) < least:
        return None
    return Clause(name=row.clause, kind="count", any_of=distinct, least=least, rule=row.rule)


def absent_clause(row: CatalogRow, parts: frozenset[str]) -> Clause | None:
    """Return the clause that says a fact is missing where these parts normally have it."""
    where = _in_parts(parts)
    if not where:
        return None
    absent = has(*row.fields[:-1])
    return Clause(name=row.clause, kind="absent", any_of=(where,), none_of=absent, rule=row.rule)


def conflict_clause(
    row: CatalogRow,
    compatible: Iterable[str],
    *,
    role: Condition = frozenset(),
    note: str = "",
) -> Clause | None:
    """Return the clause that says the record has the field, and nothing compatible in it.

    With a role it fires only on personas of that role.
    """
    none_of = frozenset(compatible)
    if not none_of:
        return None
    has_field = has(row.fields[0])
    any_of = (has_field, role) if role else (has_field,)
    return Clause(
        name=row.clause,
        kind="conflict",
        any_of=any_of,
        least=len(any_of),
        none_of=none_of,
        rule=row.rule,
        note=note,
    )


@lru_cache(maxsize=256)
def _in_parts(parts: frozenset[str]) -> Condition:
    """Return the terms of parts of the archive, which are many and stay the same for long."""
    return terms("record.part", parts)
