"""What a query asks of each record type: its clauses, the rules that made them, and the gate.

It answers the question that comes before any result: what was made of what I said?
"""

from collections.abc import Sequence
from dataclasses import dataclass

from forebear.errors import QueryError
from forebear.records.collections import RECORD_TYPES
from forebear.search.expansion.catalog import Clause, clause_words, rule_titles
from forebear.search.expansion.expand import expand
from forebear.search.expansion.facts import gather_facts
from forebear.search.expansion.knowledge import Knowledge
from forebear.search.model import UNITS_PER_BIT, Model
from forebear.search.query.person_query import PersonQuery

SHOWN_TERMS = 6
AS_GIVEN = "as given"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedClause:
    """One clause of a query, in words."""

    clause: str
    words: str
    rules: tuple[str, ...]  # titles; empty where the fact is taken as given
    note: str
    bits: float
    terms: int  # how many would fire it
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedType:
    """What a query asks of one record type."""

    record_type: str
    can_answer: bool  # it has what the searcher insists on
    clauses: tuple[AskedClause, ...] = ()
    ways: tuple[str, ...] = ()  # into the gate


def explain_query(
    query: PersonQuery, knowledge: Knowledge, model: Model, record_types: Sequence[str] = ()
) -> tuple[AskedType, ...]:
    """Return what a query asks of each of these record types, or of all."""
    for name in record_types:
        if name not in RECORD_TYPES:
            known = ", ".join(RECORD_TYPES)
            raise QueryError(f"unknown record type {name!r}", hint=f"known: {known}")
    facts = gather_facts(query, knowledge)
    found = []
    for record_type in record_types or RECORD_TYPES:
        expansion = expand(facts, record_type)
        if expansion is None:
            found.append(AskedType(record_type=record_type, can_answer=False))
            continue
        asked = (_asked(clause, record_type, model) for clause in expansion.clauses)
        ways = tuple(branch.name for branch in expansion.gate.branches)
        found.append(
            AskedType(record_type=record_type, can_answer=True, clauses=tuple(asked), ways=ways)
        )
    return tuple(found)


def _asked(clause: Clause, record_type: str, model: Model) -> AskedClause:
    terms = sorted(clause.none_of or frozenset().union(*clause.any_of))
    return AskedClause(
        clause=clause.name,
        words=clause_words(record_type, clause.name),
        rules=tuple(rule_titles()[number] for number in clause.rule.split()),
        note=clause.note,
        bits=model.weight(record_type, clause.name) / UNITS_PER_BIT,
        terms=len(terms),
        examples=tuple(terms[:SHOWN_TERMS]),
    )
