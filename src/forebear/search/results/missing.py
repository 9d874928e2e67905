"""Why is a record not in the list?  It misses the gate, the lifetime, the filters or the cut.

The record's own terms are put to the same gate and the same clauses as in the search, so the
answer is what happened.  It has the rows of an explanation, one per fact, for the person on the
record who agrees best.  If the record does not pass the gate, it has every branch of it, with
the facts that are missed there.  This is about records that the viewer may see; for other records
there is no answer.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from forebear.records.privacy import NEVER
from forebear.search.expansion.catalog import Condition, clause_words
from forebear.search.model import UNITS_PER_BIT
from forebear.search.record_search.ranked_list import ListSearch, RankedList
from forebear.search.results.explain import ListComparison, Row, fact_rows, rows_to_json
from forebear.search.results.fact import fact_of_field
from forebear.search.results.stated import QuerySide, RecordSide, text_of
from forebear.search.terms.term import PersonaTerms, field_of, value_of

MissingKind = Literal[
    "hidden",
    "masked",
    "not searched",
    "cannot answer",
    "failed",
    "gate",
    "lifetime",
    "narrowed",
    "cut",
]
MAX_VALUES = 6  # of a condition that are written out


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A person on the record."""

    terms: PersonaTerms
    record: RecordSide


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedCondition:
    """A fact by which the record does not pass the gate."""

    fact: str
    you_said: str
    record_says: str  # empty where it does not state the fact


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedBranch:
    """A branch of the gate that does not hold for the record, and why."""

    name: str
    misses: tuple[FailedCondition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingReason:
    """Why a record is not in the list, and what would let it in."""

    record_key: str
    kind: MissingKind
    words: str
    hint: str = ""
    branches: tuple[FailedBranch, ...] = ()  # the one that misses least first
    rank: int | None = None  # in its own list, where it was cut
    score: int | None = None  # in its own list, in 64ths of a bit
    rows: tuple[Row, ...] = ()  # how the record compares, one per fact

    def to_dict(self) -> dict[str, Any]:
        """Return the reason as JSON has it."""
        return {
            "record": self.record_key,
            "in_result": False,
            "kind": self.kind,
            "missing": self.words,
            "hint": self.hint,
            "branches": [asdict(branch) for branch in self.branches],
            "rank": self.rank,
            "score": None if self.score is None else self.score / UNITS_PER_BIT,
            "rows": rows_to_json(self.rows),
        }


def explain_missing(
    record_key: str,
    candidates: Sequence[Candidate],
    search: ListSearch,
    comparison: ListComparison,
    *,
    top: int,
    scale: float,
    whole_list: Callable[[ListSearch], RankedList],
) -> MissingReason | None:
    """Return why a record is not in the list of a search, or None if it is there.

    ``candidates`` are the people on it; ``scale`` is what a bit of a weight is worth in log2 odds;
    ``whole_list`` returns the list uncut.
    """
    reason = _reason(
        record_key, candidates, search, comparison.query_side, top=top, whole_list=whole_list
    )
    if reason is None:
        return None
    fired = [
        [clause.name for clause in search.clauses if clause.fires_on(candidate.terms)]
        for candidate in candidates
    ]
    weights = dict(zip((clause.name for clause in search.clauses), search.weights, strict=True))
    best = max(range(len(fired)), key=lambda place: sum(weights[name] for name in fired[place]))
    rows = fact_rows(comparison, fired[best], candidates[best].record, scale=scale)
    return replace(reason, rows=rows)


def _reason(
    record_key: str,
    candidates: Sequence[Candidate],
    search: ListSearch,
    query: QuerySide,
    *,
    top: int,
    whole_list: Callable[[ListSearch], RankedList],
) -> MissingReason | None:
    entered = [candidate for candidate in candidates if _enters(candidate.terms, search)]
    if not entered:
        return _shut(record_key, candidates, search, query)
    impossible = [
        [clause.name for clause in search.gate.excluded if clause.fires_on(candidate.terms)]
        for candidate in entered
    ]
    if all(impossible):
        return MissingReason(
            record_key=record_key,
            kind="lifetime",
            words=clause_words(search.record_type, impossible[0][0]),
            hint="search with --show-impossible to see records outside the lifetime",
        )
    return _cut(record_key, whole_list(search), top)


def hidden(record_key: str, first_year: int, takedowns: Sequence[str]) -> MissingReason:
    """Return, for the owner, why the public does not see a record."""
    if takedowns:
        return MissingReason(
            record_key=record_key,
            kind="hidden",
            words=f"it was taken down: {'; '.join(takedowns)}",
            hint="`forebear takedown --restore` takes that back",
        )
    when = "never" if first_year >= NEVER else f"from {first_year} on"
    return MissingReason(
        record_key=record_key,
        kind="hidden",
        words=f"someone on it may be living, or it is closed; the public may see it {when}",
        hint="search as the owner to see it",
    )


def masked(record_key: str, full_year: int) -> MissingReason:
    """Return, for the owner, why the public does not see all of a record."""
    when = "never" if full_year >= NEVER else f"from {full_year} on"
    return MissingReason(
        record_key=record_key,
        kind="masked",
        words="relatives on it may be living; the public sees them as `living`, without notes and "
        f"the source's row, and may see all of it {when}",
        hint="search as the owner to see it",
    )


def not_searched(record_key: str, record_type: str, ranked: RankedList | None) -> MissingReason:
    """Return why a record is missing whose list was not searched, or failed."""
    kind: MissingKind
    if ranked is None:
        kind, words = "not searched", f"{record_type} records of its collection were not searched"
        hint = "search without --type, or add this type"
    elif ranked.state == "failed":
        kind, words = "failed", f"the list {ranked.name} failed: {ranked.message}"
        hint = "search again"
    else:
        kind, words = "cannot answer", f"{record_type} records cannot answer what was asked"
        hint = "they lack a fact that was insisted on or filtered by; leave that out"
    return MissingReason(record_key=record_key, kind=kind, words=words, hint=hint)


def _cut(record_key: str, ranked: RankedList, top: int) -> MissingReason | None:
    ranks = enumerate(ranked.hits, start=1)
    ranked_hit = next(((rank, hit) for rank, hit in ranks if hit.record_key == record_key), None)
    if ranked_hit is None:
        return MissingReason(
            record_key=record_key,
            kind="narrowed",
            words=f"too many records passed the gate, and it was {ranked.message}",
            hint="say more of the person, or search this record type or collection alone",
        )
    rank, hit = ranked_hit
    if rank <= top:
        return None
    last = ranked.hits[top - 1].score / UNITS_PER_BIT
    return MissingReason(
        record_key=record_key,
        kind="cut",
        words=f"it is number {rank:,} of its list with {hit.score / UNITS_PER_BIT:+.3f} bits; "
        f"the list ends at number {top:,} with {last:+.3f} bits",
        hint="search with a higher --top, or filter by type, collection, decade or place",
        rank=rank,
        score=hit.score,
    )


def _enters(persona: PersonaTerms, search: ListSearch) -> bool:
    return _holds(persona, search.gate.required) and any(
        _holds(persona, branch.conditions) for branch in search.gate.branches
    )


def _holds(persona: PersonaTerms, conditions: Iterable[Condition]) -> bool:
    return not any(condition.isdisjoint(persona) for condition in conditions)


def _shut(
    record_key: str, candidates: Sequence[Candidate], search: ListSearch, query: QuerySide
) -> MissingReason:
    failed = _failed_branches(candidates, search, query)
    branches = sorted(failed, key=lambda branch: len(branch.misses))
    nearest = branches[0]
    missed = " and ".join(dict.fromkeys(miss.fact for miss in nearest.misses))
    return MissingReason(
        record_key=record_key,
        kind="gate",
        words=f"it does not pass the gate; nearest is {nearest.name!r}, where it misses {missed}",
        hint=f"it would come in with another {missed}, or without it in the search",
        branches=tuple(branches),
    )


def _failed_branches(
    candidates: Sequence[Candidate], search: ListSearch, query: QuerySide
) -> Iterable[FailedBranch]:
    """Yield every branch of the gate, for whoever on the record comes nearest to it."""
    for branch in search.gate.branches:
        conditions = (*branch.conditions, *search.gate.required)
        misses = [
            tuple(
                _miss(condition, candidate, query)
                for condition in conditions
                if condition.isdisjoint(candidate.terms)
            )
            for candidate in candidates
        ]
        yield FailedBranch(name=branch.name, misses=min(misses, key=len))


def _miss(condition: Condition, candidate: Candidate, query: QuerySide) -> FailedCondition:
    """Return a condition in words; one about no fact of the query has the terms themselves."""
    fields = sorted({field_of(term) for term in condition})
    facts = dict.fromkeys(map(fact_of_field, fields))
    stated = dict.fromkeys(value for fact in facts for value in query.values(fact))
    held = (term for term in candidate.terms if field_of(term) in fields)
    return FailedCondition(
        fact=" or ".join(dict.fromkeys(fact.title for fact in facts)),
        you_said=text_of(tuple(stated)) or _values(condition),
        record_says=text_of(candidate.record.values(*facts)) or _values(held),
    )


def _values(terms: Iterable[str]) -> str:
    """Return the values of terms, years as a range."""
    values = sorted(map(value_of, terms))
    if len(values) > 1 and all(value.isdecimal() for value in values):
        return f"{values[0]}–{values[-1]}"
    return ", ".join(values[:MAX_VALUES])
