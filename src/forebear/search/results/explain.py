"""Why does a hit have its probability and its place?  One row per fact, and all adds up.

Every clause belongs to a fact (`forebear.search.results.fact`); the row of a fact has what the
query says, what the record says, a verdict in words and the bits of its clauses together.  Rows
for the record type, the list, rivals and pooling follow.  The bits of all rows add up to log2 of
the odds that the hit is the person, exactly: each is a whole multiple of 2^-40, so that sums do
not depend on their order.

A bit of a row is a bit of these odds.  Weights of clauses are in 64ths of a bit before the scale of
the probability; they and the steps of fusion (slope, shift, conditions, decay) add up to the score
that the list is ordered by.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

from forebear.search.expansion.catalog import CatalogRow, Clause, load_catalog
from forebear.search.expansion.learned_variants import LearnedPairs
from forebear.search.hits import Hit
from forebear.search.model import UNITS_PER_BIT
from forebear.search.record_search.ranked_list import ListSearch
from forebear.search.results.fact import Fact, fact_of, fact_of_field
from forebear.search.results.probability import ProbabilitySteps, to_probability
from forebear.search.results.stated import QuerySide, RecordSide, Statement, Values, text_of
from forebear.search.results.verdict import NOT_COMPARED, NOTHING_LEARNED, verdict
from forebear.tables import read_table

RowKind = Literal["fact", "type", "list", "rivals", "pooling"]
StepKind = Literal["clauses", "slope", "shift", "condition", "decay"]
# Needs of clauses that any of several facts answers.
GROUPS = frozenset({"lifespan", "dates", "places", "relatives"})
PART_FIELD = "record.part"  # of absent clauses: which part of the archive it is
STEPS_PER_BIT = 2.0**40  # bits are whole multiples of its inverse


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule by which facts of the query become what a record would say."""

    number: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FiredClause:
    """One clause that fired."""

    clause: str
    words: str
    note: str  # what a rule inferred, if one did
    rules: tuple[Rule, ...]  # that shaped the clause
    weight: int  # in 64ths of a bit, before the scale of the probability
    bits: float  # of log2 odds


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one fact, the list or other records add to log2 of the odds."""

    kind: RowKind
    fact: str
    you_said: str = ""
    record_says: str = ""
    verdict: str
    bits: float
    clauses: tuple[FiredClause, ...] = ()  # the weightiest first


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step to the score that the list is ordered by."""

    kind: StepKind
    words: str
    weight: int  # in 64ths of a bit

    @property
    def bits(self) -> float:
        """Return the weight in bits."""
        return self.weight / UNITS_PER_BIT


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a hit has its probability and its score."""

    record_key: str
    list_name: str
    rows: tuple[Row, ...]  # they add up to the log2 odds
    steps: tuple[Step, ...]  # they add up to the score; first all clauses together
    score: int  # in 64ths of a bit

    @property
    def log_odds(self) -> float:
        """Return log2 of the odds that the hit is the person."""
        return sum(row.bits for row in self.rows)

    @property
    def probability(self) -> float:
        """Return how likely it is that the hit is the person."""
        return float(to_probability(self.log_odds))

    @property
    def clauses(self) -> tuple[FiredClause, ...]:
        """Return the clauses of all rows."""
        return tuple(clause for row in self.rows for clause in row.clauses)

    @property
    def adds_up(self) -> bool:
        """Return whether clauses give their rows, and the steps the score, exactly."""
        facts = [row for row in self.rows if row.kind == "fact"]
        weights = sum(clause.weight for clause in self.clauses)
        return (
            all(sum(clause.bits for clause in row.clauses) == row.bits for row in facts)
            and [step.weight for step in self.steps if step.kind == "clauses"] == [weights]
            and sum(step.weight for step in self.steps) == self.score
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as JSON has it."""
        return {
            "record": self.record_key,
            "in_result": True,
            "list": self.list_name,
            "probability": self.probability,
            "log_odds": self.log_odds,
            "rows": rows_to_json(self.rows),
            "score": self.score / UNITS_PER_BIT,
            "steps": [
                {"kind": step.kind, "words": step.words, "bits": step.bits} for step in self.steps
            ],
        }


def rows_to_json(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return rows as JSON has them."""
    values = [asdict(row) for row in rows]
    for value in values:
        for clause in value["clauses"]:
            del clause["weight"]
    return values


class ClauseFact(NamedTuple):
    """A fact that clauses are about."""

    fact: Fact
    title: str
    needs: tuple[tuple[str, ...], ...]  # of its clauses
    fields: tuple[Fact, ...]  # where records state it


class ComparedFact(NamedTuple):
    """A fact of a query beside the fields of the records of one list."""

    fact: Fact
    title: str
    stated: Values
    you_said: str  # the same in words
    fields: tuple[Fact, ...]  # where records state it, if not under the fact itself
    is_compared: bool  # some clause compares it
    is_always_shown: bool  # because the query states it


@dataclass(frozen=True, slots=True, kw_only=True)
class ListComparison:
    """What of a query is compared with the records of one list; the same for all its hits."""

    query_side: QuerySide
    facts: tuple[ComparedFact, ...]  # those that the query states first
    clauses: dict[str, tuple[Clause, int]]  # with their weights, by name
    learned: LearnedPairs  # name variants of the archive

    @property
    def record_type(self) -> str:
        """Return the type of the list's records."""
        return self.query_side.record_type


def compare_list(
    search: ListSearch, query: QuerySide, learned: LearnedPairs = NOTHING_LEARNED
) -> ListComparison:
    """Return what of a query is compared with the records of a list.

    ``learned`` are the name variants of the archive.
    """
    side = query.of_type(search.record_type)
    of_clauses = _clause_facts(search.record_type, tuple([c.name for c in search.clauses]))
    facts = []
    compared = {fact for fact, *_ in of_clauses}
    answered = set(compared)
    for fact, title, needs, fields in of_clauses:
        # A fact that records of the type have only under another name is shown there.
        elsewhere = {
            needed
            for need in needs
            if GROUPS.isdisjoint(need)
            for needed in side.needed(need)
            if needed not in compared and not needed.is_combined
        }
        answered |= elsewhere
        stated = side.values(fact)
        is_stated = bool(elsewhere) or (bool(stated) and not fact.is_combined)
        stated = side.with_own_surname(fact, stated, needs) or side.implied(needs)
        facts.append(ComparedFact(fact, title, stated, text_of(stated), fields, True, is_stated))
    facts += [
        ComparedFact(fact, fact.title, stated, text_of(stated), (), False, True)
        for fact in _catalog_facts()
        if fact not in answered and (stated := side.values(fact))
    ]
    return ListComparison(
        query_side=side,
        facts=tuple(sorted(facts, key=lambda compared: not compared.is_always_shown)),
        clauses={
            clause.name: (clause, weight)
            for clause, weight in zip(search.clauses, search.weights, strict=True)
        },
        learned=learned,
    )


@lru_cache(maxsize=1_000)
def _clause_facts(record_type: str, clauses: tuple[str, ...]) -> tuple[ClauseFact, ...]:
    """Return the facts of some clauses; many queries have the same ones."""
    catalog = _rows(record_type)
    rows_by_fact: dict[Fact, list[CatalogRow]] = {}
    for name in clauses:
        rows_by_fact.setdefault(fact_of(name), []).append(catalog[name])
    return tuple(
        [
            ClauseFact(
                fact,
                fact.title,
                tuple(dict.fromkeys(need for row in rows for need in row.needs)),
                _fields(fact, rows),
            )
            for fact, rows in rows_by_fact.items()
        ]
    )


def _fields(fact: Fact, rows: Iterable[CatalogRow]) -> tuple[Fact, ...]:
    fields = dict.fromkeys(field for row in rows for field in row.fields if field != PART_FIELD)
    facts = dict.fromkeys(map(fact_of_field, fields))
    return tuple(field for field in facts if field.subject == fact.subject) or tuple(facts)


def explain(
    hit: Hit, comparison: ListComparison, record: RecordSide, probability: ProbabilitySteps
) -> Explanation:
    """Return why a hit has its probability and its score."""
    rows = fact_rows(comparison, hit.fired, record, scale=probability.worth)
    return Explanation(
        record_key=hit.record_key,
        list_name=hit.list_name,
        rows=(*rows, *_other_rows(hit, probability)),
        steps=tuple(_steps(hit)),
        score=hit.fused_score,
    )


def fact_rows(
    comparison: ListComparison, fired: Iterable[str], record: RecordSide, *, scale: float
) -> tuple[Row, ...]:
    """Return a row for each fact that clauses fired on or that the query states."""
    catalog = _rows(comparison.record_type)
    fired_on: dict[Fact, list[tuple[CatalogRow, int]]] = {}
    for name in fired:
        weighted = (catalog[name], comparison.clauses[name][1])
        fired_on.setdefault(fact_of(name), []).append(weighted)
    return tuple(
        _fact_row(compared, fired_on.get(compared.fact, ()), comparison, record, scale)
        for compared in comparison.facts
        if compared.is_always_shown or compared.fact in fired_on
    )


def _fact_row(
    compared: ComparedFact,
    fired: Sequence[tuple[CatalogRow, int]],
    comparison: ListComparison,
    record: RecordSide,
    scale: float,
) -> Row:
    fact = compared.fact
    recorded = record.values(fact) or record.values(*compared.fields)
    clauses = [
        _fired_clause(
            row.record_type, row.clause, comparison.clauses[row.clause][0].note, weight, scale
        )
        for row, weight in fired
    ]
    return Row(
        kind="fact",
        fact=compared.title,
        you_said=compared.you_said,
        record_says=text_of(recorded),
        verdict=verdict(fact, fired, Statement(compared.stated, recorded), comparison.learned)
        if compared.is_compared
        else NOT_COMPARED,
        bits=sum(clause.bits for clause in clauses),
        clauses=tuple(sorted(clauses, key=lambda clause: -abs(clause.weight))),
    )


@lru_cache(maxsize=10_000)
def _fired_clause(record_type: str, name: str, note: str, weight: int, scale: float) -> FiredClause:
    """Return a clause; the hits of a page, and of the next, have most of theirs in common."""
    row = _rows(record_type)[name]
    return FiredClause(
        clause=name,
        words=row.words,
        note=note,
        rules=tuple(_rules()[number] for number in row.rule.split()),
        weight=weight,
        bits=_rounded(scale * weight / UNITS_PER_BIT),
    )


def _other_rows(hit: Hit, steps: ProbabilitySteps) -> Iterator[Row]:
    kind = hit.record_type.replace("_", " ")
    level = _rounded(steps.level)
    whose = "another person" if level < 0 else "the person"
    words = f"{kind} records that fit are usually about {whose}"
    yield Row(kind="type", fact="record type", record_says=kind, verdict=words, bits=level)
    fit = "record fits" if steps.records == 1 else "records fit"
    words = f"{steps.records:,} {kind} {fit} the search"
    yield Row(kind="list", fact="the list", verdict=words, bits=_rounded(steps.gate))
    if rivals := _rounded(steps.rivals):
        words = f"one of {steps.rival_count:,} records of which only one can be right"
        yield Row(kind="rivals", fact="rivals", verdict=words, bits=rivals)
    if pooling := _rounded(steps.pooling):
        words = "evened out with its neighbors, so that no later record has a higher probability"
        yield Row(kind="pooling", fact="pooling", verdict=words, bits=pooling)


def _steps(hit: Hit) -> Iterator[Step]:
    shift = hit.shift
    words = "all clauses, by their weights"
    yield Step(kind="clauses", words=words, weight=hit.score)
    if slope_bits := shift.slope_bits(hit.score):
        worth = f"a bit of its scores is worth {shift.slope / UNITS_PER_BIT:g}"
        yield Step(
            kind="slope", words=f"slope of the list {hit.list_name}: {worth}", weight=slope_bits
        )
    yield Step(kind="shift", words=f"shift of the list {hit.list_name}", weight=shift.shift)
    for fact, weight in shift.conditions:
        words = f"condition: {fact.replace('.', ' ')} is known"
        yield Step(kind="condition", words=words, weight=weight)
    if hit.decay:
        words = "decay: records of the same type stand before it"
        yield Step(kind="decay", words=words, weight=-hit.decay)


def _rounded(bits: float) -> float:
    return round(bits * STEPS_PER_BIT) / STEPS_PER_BIT


@cache
def _catalog_facts() -> tuple[Fact, ...]:
    """Return every fact of the catalog that a query may state by itself."""
    clauses = (row.clause for rows in load_catalog().values() for row in rows)
    facts = dict.fromkeys(map(fact_of, clauses))
    return tuple(fact for fact in facts if not fact.is_combined)


@cache
def _rows(record_type: str) -> dict[str, CatalogRow]:
    return {row.clause: row for row in load_catalog()[record_type]}


@cache
def _rules() -> dict[str, Rule]:
    rows = read_table("search/rules")
    return {row["number"]: Rule(number=row["number"], words=row["words"]) for row in rows}
