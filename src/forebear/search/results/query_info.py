"""How is a query compared: its clauses in each record type, their rules, the gate, what is unused?

This is shown without any search: how was what I said understood?  A fact that no clause reads is
named, so that no one relies on it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from forebear.errors import QueryError
from forebear.records.collections import RECORD_TYPES
from forebear.search.expansion.catalog import Clause, clause_words, load_catalog, rule_titles
from forebear.search.expansion.expand import expand
from forebear.search.expansion.facts import gather_facts
from forebear.search.expansion.knowledge import Knowledge
from forebear.search.model import UNITS_PER_BIT, Model
from forebear.search.query.person_query import PersonQuery

SHOWN_TERMS = 6
AS_GIVEN = "as given"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseInfo:
    """One clause of a query, in words."""

    clause: str
    words: str
    rules: tuple[str, ...]  # titles; empty where the fact is taken as given
    note: str
    bits: float
    terms: int  # how many would fire it
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeInfo:
    """What a query compares with records of one type."""

    record_type: str
    can_answer: bool  # it has what the searcher insists on
    clauses: tuple[ClauseInfo, ...] = ()
    branches: tuple[str, ...] = ()  # of the gate


def explain_query(
    query: PersonQuery, knowledge: Knowledge, model: Model, record_types: Sequence[str] = ()
) -> tuple[TypeInfo, ...]:
    """Return what a query compares with records of these types, or of all."""
    for name in record_types:
        if name not in RECORD_TYPES:
            names = ", ".join(RECORD_TYPES)
            raise QueryError(f"unknown record type {name!r}", hint=f"known: {names}")
    facts = gather_facts(query, knowledge)
    types = []
    for record_type in record_types or RECORD_TYPES:
        expansion = expand(facts, record_type)
        if expansion is None:
            types.append(TypeInfo(record_type=record_type, can_answer=False))
            continue
        clauses = tuple(_describe(clause, record_type, model) for clause in expansion.clauses)
        branches = tuple(branch.name for branch in expansion.gate.branches)
        types.append(
            TypeInfo(record_type=record_type, can_answer=True, clauses=clauses, branches=branches)
        )
    return tuple(types)


def _describe(clause: Clause, record_type: str, model: Model) -> ClauseInfo:
    terms = sorted(clause.none_of or frozenset().union(*clause.any_of))
    return ClauseInfo(
        clause=clause.name,
        words=clause_words(record_type, clause.name),
        rules=tuple(rule_titles()[number] for number in clause.rule.split()),
        note=clause.note,
        bits=model.weight(record_type, clause.name) / UNITS_PER_BIT,
        terms=len(terms),
        examples=tuple(terms[:SHOWN_TERMS]),
    )


def unused_facts(query: PersonQuery) -> tuple[str, ...]:
    """Return the facts that are understood, but that no clause of the catalog needs."""
    return tuple(dict.fromkeys(word for word in _details(query) if word not in _needed()))


def _details(query: PersonQuery) -> Iterator[str]:
    """Yield the facts beyond names, dates and places, by the catalog's words."""
    for word in ("organization", "identifier", "occupation", "religion"):
        if getattr(query, word):
            yield word
    for relative in query.relatives:
        yield from (
            f"{relative.kind}.{word}"
            for word in ("occupation", "birthplace")
            if getattr(relative, word)
        )


@cache
def _needed() -> frozenset[str]:
    rows = (row for rows in load_catalog().values() for row in rows)
    return frozenset(word for row in rows for need in row.needs for word in need)
