"""Which names do the likeliest records tell of a person that the searcher did not?

Weddings and the births of children name a woman by her birth name, with the husband beside her;
censuses, deaths and most else then show her under his name, which a gate that knows only the
birth name keeps shut.  So a record that is hers with a chance of 20 % is read, the husband's
surname is taken from it, and the search is made once more with it; and again where a widow's
second wedding then comes in.

Likewise the name that somebody went by may be the second one: a record tells that Ralph Hunter
was Edward Ralph, and others call him Edward.

What is followed is said in the answer, with the record that told it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from forebear.normalize.spelling import is_initial, normalize_name, split_given
from forebear.normalize.variants import sex_of_given
from forebear.records.record import Name, NameKind, Persona, Record, Sex
from forebear.search.expansion.catalog import Branch, Condition
from forebear.search.hits import Hit, Hits
from forebear.search.query.person_query import PersonQuery
from forebear.search.record_search.ranked_list import ListSearch
from forebear.search.terms.people import kin_of
from forebear.search.terms.values import surname_terms

LEAST_CHANCE = 0.2  # that the record is hers, before it is believed: "possible"
MOST_LOOKED_AT = 20  # of the first records
MOST_READ = 8  # of those that may tell something
MOST_NAMES = 2
MOST_ROUNDS = 2
# One of these says that she stands on the record under a surname of the query, a widow at her
# next wedding under the one by marriage; the other, that her husband does, and she perhaps under
# the birth name.
OWN_SURNAME = frozenset(
    {
        *(f"self.surname.{level}" for level in ("variant", "similar", "edit1")),
        *(f"self.married.{level}" for level in ("variant", "similar")),
    }
)
HUSBAND = frozenset({"spouse.given.variant", "spouse.surname.variant"})
FIRST_NAME, SECOND_NAME = "self.given.variant", "self.given.as_middle"


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowedName:
    """A name that a record told."""

    surname: str
    kind: NameKind
    record_key: str
    given: str = ""  # where it is the given name that the record has

    def __str__(self) -> str:
        told = f"given name {self.given}" if self.given else f"{self.kind} name {self.surname}"
        return f"{told}, as {self.record_key} tells"


Read = tuple[Hit, Record]


def followed_names(
    query: PersonQuery,
    fused: Hits,
    chances: Sequence[float],
    known: Condition,
    read: Callable[[str], Record | None],
) -> tuple[FollowedName, ...]:
    """Return the names on records that are likely the person's, the likeliest first.

    ``chances`` are the probabilities of the hits, in their order; ``known`` are the surnames that
    were asked for in any form; ``read`` reads a record.
    """
    if not any(name.given and name.surname for name in query.names):
        return ()
    first = fused[:MOST_LOOKED_AT]
    likely = first.take([chance >= LEAST_CHANCE for chance in chances[: len(first)]])
    is_named = likely.fires_any(*OWN_SURNAME)
    if _sex(query) == "m":
        may_tell = likely.fires_any(SECOND_NAME)
    else:
        may_tell = is_named | likely.fires_all(*HUSBAND)
    telling = likely.take(may_tell)[:MOST_READ]
    believed = [(each, record) for each in telling if (record := read(each.record_key))]
    found: dict[tuple[str, str], FollowedName] = {}
    goes_first = (is_named & likely.fires_any(FIRST_NAME)).any()
    given = () if goes_first else _given_told(query, believed)
    for each in (*_surnames_told(query, believed, known), *given):
        found.setdefault((normalize_name(each.surname), normalize_name(each.given)), each)
    return tuple(found.values())[:MOST_NAMES]


def with_names(query: PersonQuery, followed: Sequence[FollowedName]) -> PersonQuery:
    """Return the query with the names told besides its own."""
    given = next(name.given for name in query.names if name.given)
    added = (
        Name(given=each.given or given, surname=each.surname, kind=each.kind) for each in followed
    )
    return replace(query, names=(*query.names, *added))


def with_ways_of(
    asked: Mapping[str, ListSearch], before: Mapping[str, ListSearch]
) -> dict[str, ListSearch]:
    """Return what is asked of each list with the ways in that a name told would have shut."""
    # Lists share their ways in, and a storage opens once what is the same tuple.
    joined: dict[tuple[int, int], tuple[Branch, ...]] = {}
    found = {}
    for name, search in asked.items():
        now = search.gate.branches
        earlier = before[name].gate.branches if name in before else ()
        ways = joined.setdefault((id(now), id(earlier)), _joined(now, earlier))
        found[name] = replace(search, gate=replace(search.gate, branches=ways))
    return found


def _joined(now: tuple[Branch, ...], earlier: tuple[Branch, ...]) -> tuple[Branch, ...]:
    names = {branch.name for branch in now}
    return (*now, *(branch for branch in earlier if branch.name not in names))


def _is_named(hit: Hit) -> bool:
    """Say whether the person stands there under a surname of the query."""
    return not OWN_SURNAME.isdisjoint(hit.fired)


def _surnames_told(
    query: PersonQuery, believed: Sequence[Read], known: Condition
) -> Iterator[FollowedName]:
    """Yield the surnames of a woman that nobody asked for."""
    if _sex(query) == "m":
        return
    for each, record in believed:
        for kind, surname in _told(query, record, each):
            if surname and known.isdisjoint(surname_terms("self.surname", surname)):
                yield FollowedName(surname=surname, kind=kind, record_key=record.key)


def _told(query: PersonQuery, record: Record, hit: Hit) -> Iterator[tuple[NameKind, str]]:
    """Yield the surnames that a record tells of her, and how she came to them."""
    persona = record.personas[hit.position]
    if not _is_woman(query, persona):
        return
    if _is_named(hit):
        yield from (("married", surname) for surname in _husbands(record, persona))
    elif HUSBAND.issubset(hit.fired):
        yield from (("birth", name.surname) for name in persona.names)


def _given_told(query: PersonQuery, believed: Sequence[Read]) -> Iterator[FollowedName]:
    """Yield the whole given names of somebody asked for by the second of them."""
    own = next(name for name in query.names if name.given and name.surname)
    asked = {token for name in query.names for token in split_given(name.given)}
    for each, record in believed:
        if SECOND_NAME not in each.fired or not _is_named(each):
            continue
        for name in record.personas[each.position].names:
            first = split_given(name.given)[:1]
            if first and first[0] not in asked and not is_initial(first[0]):
                yield FollowedName(
                    given=name.given, surname=own.surname, kind=own.kind, record_key=record.key
                )


def _named(record: Record, persona: Persona, relation: str) -> list[str]:
    """Return the surnames of those who are this to the persona."""
    kin = kin_of(persona, [other for other in record.personas if other is not persona])
    names = (name for known, other in kin if known == relation for name in other.names)
    return [name.surname for name in names if name.surname]


def _husbands(record: Record, persona: Persona) -> list[str]:
    """Return the surname of her husband, or where he has none there, of her child."""
    return _named(record, persona, "spouse") or _named(record, persona, "child")


def _is_woman(query: PersonQuery, persona: Persona) -> bool:
    if query.sex or persona.sex:
        return "f" in (query.sex, persona.sex)
    return _sex(query) == "f"


def _sex(query: PersonQuery) -> Sex | None:
    """Return the sex that a query states, else the one that its given names are of."""
    given = [token for name in query.names for token in split_given(name.given)[:1]]
    told = {sex_of_given(token) for token in given}
    return query.sex or ("f" if "f" in told else "m" if "m" in told else None)
