"""Why is a record not in the list?  It misses the gate, the lifetime, the filters or the cut.

The record's own terms are put to the same gate and the same clauses as in the search, so what
is reported is what happened.  Of a gate that stays shut every way in is listed with the conditions
that the record misses: what was wanted there, and what the record has instead.  Whoever may
not see a record is not told of it at all; that is decided before this is asked.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from forebear.records.privacy import NEVER
from forebear.search.expansion.catalog import Condition, clause_words
from forebear.search.model import UNITS_PER_BIT
from forebear.search.record_search.ranked_list import ListSearch, RankedList
from forebear.search.terms.fields import PersonaTerms, field_of

AbsenceKind = Literal[
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
MOST_VALUES = 6  # of a condition that are listed


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """A condition that the record does not hold."""

    condition: str
    wanted: tuple[str, ...]  # some of the terms that would hold it
    found: tuple[str, ...]  # what the record has in those fields


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedWay:
    """A way into the list that is closed to the record, and what closes it."""

    name: str
    misses: tuple[Miss, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """Why a record is not in the list, and what would let it in."""

    record_key: str
    kind: AbsenceKind
    words: str
    hint: str = ""
    ways: tuple[ClosedWay, ...] = ()  # the one that misses least first
    rank: int | None = None  # in its own list, where it was cut
    score: int | None = None  # in its own list, in 64ths of a bit


def find_absence(
    record_key: str,
    personas: Sequence[PersonaTerms],
    search: ListSearch,
    *,
    top: int,
    whole_list: Callable[[ListSearch], RankedList],
) -> Absence | None:
    """Return why a record is not in the list of a search, or None if it is there.

    ``personas`` are the terms of the people on it; ``whole_list`` is asked for the list uncut.
    """
    entered = [persona for persona in personas if _enters(persona, search)]
    if not entered:
        return _shut(record_key, personas, search)
    impossible = [
        [clause.name for clause in search.gate.excluded if clause.fires_on(persona)]
        for persona in entered
    ]
    if all(impossible):
        return Absence(
            record_key=record_key,
            kind="lifetime",
            words=clause_words(search.record_type, impossible[0][0]),
            hint="search with --show-impossible to see records outside the lifetime",
        )
    return _cut(record_key, whole_list(search), top)


def hidden(record_key: str, first_year: int, takedowns: Sequence[str]) -> Absence:
    """Return, for the owner, why the public does not see a record."""
    if takedowns:
        return Absence(
            record_key=record_key,
            kind="hidden",
            words=f"it was taken down: {'; '.join(takedowns)}",
            hint="`forebear takedown --restore` takes that back",
        )
    when = "never" if first_year >= NEVER else f"from {first_year} on"
    return Absence(
        record_key=record_key,
        kind="hidden",
        words=f"somebody on it may be living, or it is closed; the public may see it {when}",
        hint="search as the owner to see it",
    )


def masked(record_key: str, full_year: int) -> Absence:
    """Return, for the owner, why the public does not see all of a record."""
    when = "never" if full_year >= NEVER else f"from {full_year} on"
    return Absence(
        record_key=record_key,
        kind="masked",
        words="relatives on it may be living; the public sees them as `living`, without notes and "
        f"the source's row, and may see all of it {when}",
        hint="search as the owner to see it",
    )


def not_asked(record_key: str, record_type: str, ranked: RankedList | None) -> Absence:
    """Return why a record is missing whose list was not asked, or did not answer."""
    kind: AbsenceKind
    if ranked is None:
        kind, words = "not searched", f"{record_type} records of its collection were not searched"
        hint = "search without --type, or add this type"
    elif ranked.state == "failed":
        kind, words = "failed", f"the list {ranked.name} failed: {ranked.message}"
        hint = "search again"
    else:
        kind, words = "cannot answer", f"{record_type} records cannot answer what was asked"
        hint = "they lack a fact that was insisted on or filtered by; leave that out"
    return Absence(record_key=record_key, kind=kind, words=words, hint=hint)


def _cut(record_key: str, ranked: RankedList, top: int) -> Absence | None:
    places = enumerate(ranked.hits, start=1)
    found = next(((rank, hit) for rank, hit in places if hit.record_key == record_key), None)
    if found is None:
        return Absence(
            record_key=record_key,
            kind="narrowed",
            words=f"too many records passed the gate, and it was {ranked.message}",
            hint="say more of the person, or search this record type or collection alone",
        )
    rank, hit = found
    if rank <= top:
        return None
    last = ranked.hits[top - 1].score / UNITS_PER_BIT
    return Absence(
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


def _shut(record_key: str, personas: Sequence[PersonaTerms], search: ListSearch) -> Absence:
    ways = sorted(_closed_ways(personas, search), key=lambda way: len(way.misses))
    nearest = ways[0]
    missed = " and ".join(miss.condition for miss in nearest.misses)
    return Absence(
        record_key=record_key,
        kind="gate",
        words=f"it does not pass the gate; nearest is {nearest.name!r}, where it misses {missed}",
        hint=f"it would come in with another {missed}, or without it in the search",
        ways=tuple(ways),
    )


def _closed_ways(personas: Sequence[PersonaTerms], search: ListSearch) -> Iterable[ClosedWay]:
    """Yield every way in, for whoever on the record comes nearest to it."""
    required = [(_fields(condition), condition) for condition in search.gate.required]
    for branch in search.gate.branches:
        names = branch.name.split(" and ")
        wanted = [*zip(names, branch.conditions, strict=True), *required]
        misses = [
            tuple(_miss(n, c, persona) for n, c in wanted if c.isdisjoint(persona))
            for persona in personas
        ]
        yield ClosedWay(name=branch.name, misses=sorted(misses, key=len)[0])


def _miss(name: str, condition: Condition, persona: PersonaTerms) -> Miss:
    fields = {field_of(term) for term in condition}
    found = (term for term in persona if field_of(term) in fields)
    return Miss(condition=name, wanted=_some(condition), found=_some(found))


def _some(terms: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(terms, key=lambda term: (len(field_of(term)), term)))[:MOST_VALUES]


def _fields(condition: Condition) -> str:
    return f"what was insisted on ({', '.join(sorted({field_of(term) for term in condition}))})"
