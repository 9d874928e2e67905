"""How is a person searched for once more: with a name that a record adds, or less strictly?

*With another name.*  Marriages and the births of children name a woman by her birth name, with the
husband beside her; censuses, deaths and most else then show her under his name, which a gate that
knows only the birth name excludes.  So a record that is hers with a chance of 20 % is read, the
husband's surname is taken from it, and the search is repeated with it; and again where a widow's
second marriage then comes in.  Likewise the name that a person went by may be the second one: a
record shows that Ralph Hunter was Edward Ralph, and others call him Edward.  A name that was
followed is reported, with the record that has it.

*Less strictly.*  A search compares with tolerance and requires little: a name, and what the
searcher insists on.  When that leaves hardly a record, the strictest requirement is dropped first:
the exact place becomes the county, the exact year ten years around it, the exact letters any form
of the name.  Then what was insisted on may differ, and last the names that opened the gate.  Every
record is still scored by the whole query, so relaxing lets records in and reorders none.  The
searcher runs these steps one after the other, until there are enough hits.  Record types,
collections and filters are never relaxed: they say where to look.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from forebear.errors import QueryError
from forebear.normalize.spelling import is_initial, normalize_name, split_given
from forebear.normalize.variants import sex_of_given
from forebear.records.record import Name, NameKind, Persona, Record, Sex
from forebear.search.expansion.catalog import Branch, Condition
from forebear.search.hits import Hit, Hits
from forebear.search.query.person_query import PersonQuery
from forebear.search.record_search.ranked_list import ListSearch
from forebear.search.terms.people import kin_of
from forebear.search.terms.values import surname_terms

MIN_CHANCE = 0.2  # that the record is hers, before its names are used: "possible"
MAX_CONSIDERED = 20  # of the first records
MAX_READ = 8  # of those that may have another name
MAX_NAMES = 2
MAX_ROUNDS = 2
# One of these says that she is on the record under a surname of the query, a widow at her
# next marriage under the one by the last; the other, that her husband is, and she perhaps under
# the birth name.
OWN_SURNAME = frozenset(
    {
        *(f"self.surname.{level}" for level in ("variant", "similar", "edit1")),
        *(f"self.married.{level}" for level in ("variant", "similar")),
    }
)
HUSBAND = frozenset({"spouse.given.variant", "spouse.surname.variant"})
FIRST_NAME, SECOND_NAME = "self.given.variant", "self.given.as_middle"

THIN = 3  # fewer records than this, and something is relaxed

# The last word of a fact that was exact, and what is enough instead.
TOLERANT = {
    "place": "anywhere in the county instead of the exact place",
    "year": "up to ten years off instead of the exact year",
    "date": "up to ten years off instead of the exact day",
}
ANY_FORM = "any form of it instead of the same letters"
MAY_DIFFER = "may differ, though it was required"
NOT_NEEDED = "not needed to find a record, only to rank it"


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedName:
    """A name of the person that a record adds."""

    surname: str
    kind: NameKind
    record_key: str
    given: str = ""  # where it is the given name that the record has

    def __str__(self) -> str:
        name = f"given name {self.given}" if self.given else f"{self.kind} name {self.surname}"
        return f"{name}, as {self.record_key} tells"


Read = tuple[Hit, Record]


def followed_names(
    query: PersonQuery,
    fused: Hits,
    chances: Sequence[float],
    searched: Condition,
    read: Callable[[str], Record | None],
) -> tuple[LearnedName, ...]:
    """Return the names on records that are likely the person's, the likeliest first.

    ``chances`` are the probabilities of the hits, in their order; ``searched`` are the surnames
    that the search looked for in any form; ``read`` reads a record.
    """
    if not any(name.given and name.surname for name in query.names):
        return ()
    first = fused[:MAX_CONSIDERED]
    likely = first.take([chance >= MIN_CHANCE for chance in chances[: len(first)]])
    is_named = likely.fires_any(*OWN_SURNAME)
    if _sex(query) == "m":
        may_add = likely.fires_any(SECOND_NAME)
    else:
        may_add = is_named | likely.fires_all(*HUSBAND)
    adding = likely.take(may_add)[:MAX_READ]
    trusted = [(hit, record) for hit in adding if (record := read(hit.record_key))]
    names: dict[tuple[str, str], LearnedName] = {}
    goes_first = (is_named & likely.fires_any(FIRST_NAME)).any()
    given = () if goes_first else _new_given_names(query, trusted)
    for name in (*_new_surnames(query, trusted, searched), *given):
        names.setdefault((normalize_name(name.surname), normalize_name(name.given)), name)
    return tuple(names.values())[:MAX_NAMES]


def with_names(query: PersonQuery, followed: Sequence[LearnedName]) -> PersonQuery:
    """Return the query with names that records add to its names."""
    given = next(name.given for name in query.names if name.given)
    added = (
        Name(given=name.given or given, surname=name.surname, kind=name.kind) for name in followed
    )
    return replace(query, names=(*query.names, *added))


def with_branches_of(
    searches: Mapping[str, ListSearch], before: Mapping[str, ListSearch]
) -> dict[str, ListSearch]:
    """Return the searches of lists with the earlier branches that a new name would remove."""
    # Lists share their branches, and a storage evaluates the same tuple once.
    joined: dict[tuple[int, int], tuple[Branch, ...]] = {}
    widened = {}
    for name, search in searches.items():
        now = search.gate.branches
        earlier = before[name].gate.branches if name in before else ()
        branches = joined.setdefault((id(now), id(earlier)), _joined(now, earlier))
        widened[name] = replace(search, gate=replace(search.gate, branches=branches))
    return widened


def _joined(now: tuple[Branch, ...], earlier: tuple[Branch, ...]) -> tuple[Branch, ...]:
    names = {branch.name for branch in now}
    return (*now, *(branch for branch in earlier if branch.name not in names))


def _is_named(hit: Hit) -> bool:
    """Return whether the person is there under a surname of the query."""
    return not OWN_SURNAME.isdisjoint(hit.fired)


def _new_surnames(
    query: PersonQuery, trusted: Sequence[Read], searched: Condition
) -> Iterator[LearnedName]:
    """Yield the surnames of a woman that the search did not look for."""
    if _sex(query) == "m":
        return
    for hit, record in trusted:
        for kind, surname in _surnames_on(query, record, hit):
            if surname and searched.isdisjoint(surname_terms("self.surname", surname)):
                yield LearnedName(surname=surname, kind=kind, record_key=record.key)


def _surnames_on(query: PersonQuery, record: Record, hit: Hit) -> Iterator[tuple[NameKind, str]]:
    """Yield the surnames that she has on a record, and how she came to them."""
    persona = record.personas[hit.position]
    if not _is_woman(query, persona):
        return
    if _is_named(hit):
        # Her husband's; where he has none there, her child's.
        surnames = _named(record, persona, "spouse") or _named(record, persona, "child")
        yield from (("married", surname) for surname in surnames)
    elif HUSBAND.issubset(hit.fired):
        yield from (("birth", name.surname) for name in persona.names)


def _new_given_names(query: PersonQuery, trusted: Sequence[Read]) -> Iterator[LearnedName]:
    """Yield the whole given names of a person whom the query calls by the second of them."""
    stated = next(name for name in query.names if name.given and name.surname)
    tokens = {token for name in query.names for token in split_given(name.given)}
    for hit, record in trusted:
        if SECOND_NAME not in hit.fired or not _is_named(hit):
            continue
        for name in record.personas[hit.position].names:
            first = split_given(name.given)[:1]
            if first and first[0] not in tokens and not is_initial(first[0]):
                yield LearnedName(
                    given=name.given,
                    surname=stated.surname,
                    kind=stated.kind,
                    record_key=record.key,
                )


def _named(record: Record, persona: Persona, relation: str) -> list[str]:
    """Return the surnames of those who are this to the persona."""
    kin = kin_of(persona, [other for other in record.personas if other is not persona])
    names = (name for position, other in kin if position == relation for name in other.names)
    return [name.surname for name in names if name.surname]


def _is_woman(query: PersonQuery, persona: Persona) -> bool:
    if query.sex or persona.sex:
        return "f" in (query.sex, persona.sex)
    return _sex(query) == "f"


def _sex(query: PersonQuery) -> Sex | None:
    """Return the sex that a query states, else the one that its given names are of."""
    given = [token for name in query.names for token in split_given(name.given)[:1]]
    sexes = {sex_of_given(token) for token in given}
    return query.sex or ("f" if "f" in sexes else "m" if "m" in sexes else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relaxation:
    """One thing compared less strictly, on top of those before it."""

    fact: str  # as the query calls it: birth.place
    words: str  # what is enough instead
    query: PersonQuery  # what records are scored by
    gate_query: PersonQuery  # what lets them in

    def __str__(self) -> str:
        return f"{self.fact.replace('.', ' ')}: {self.words}"


def relaxations(query: PersonQuery) -> Iterator[Relaxation]:
    """Yield what may be relaxed, step by step, each with all before it."""
    for fact in sorted(query.exact, key=_firmness):
        query = _without(query, fact, exact=True)
        query = replace(query, require=(*query.require, fact))
        words = TOLERANT.get(fact.rpartition(".")[2], ANY_FORM)
        yield Relaxation(fact=fact, words=words, query=query, gate_query=query)
    for fact in sorted(query.require, key=_firmness):
        query = _without(query, fact, exact=False)
        yield Relaxation(fact=fact, words=MAY_DIFFER, query=query, gate_query=query)
    for part in ("given", "surname"):
        wider = _without_name(query, part)
        if wider is not None:
            yield Relaxation(fact=part, words=NOT_NEEDED, query=query, gate_query=wider)


def _firmness(fact: str) -> int:
    """Return how late a fact is relaxed: places, then dates, then other people, then names."""
    last = fact.rpartition(".")[2]
    if last in ("place", "birthplace"):
        return 0
    if last in ("year", "date"):
        return 1
    return 2 if "." in fact else 3


def _without(query: PersonQuery, fact: str, *, exact: bool) -> PersonQuery:
    if exact:
        return replace(query, exact=tuple(other for other in query.exact if other != fact))
    return replace(query, require=tuple(other for other in query.require if other != fact))


def _without_name(query: PersonQuery, part: str) -> PersonQuery | None:
    """Return the query without given names or surnames, if both were there and enough is left."""
    has_both = any(n.given for n in query.names) and any(n.surname for n in query.names)
    if not has_both:
        return None
    bare = (
        structs.replace(name, given="") if part == "given" else structs.replace(name, surname="")
        for name in query.names
    )
    try:
        return replace(query, names=tuple(name for name in bare if name.given or name.surname))
    except QueryError:
        return None
