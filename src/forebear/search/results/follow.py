"""Which name by marriage do the records tell of a woman whose husband the searcher did not name?

Weddings and the births of children name a woman by her birth name, with the husband beside her;
censuses, deaths and most else then show her under his name, which a gate that knows only the
birth name keeps shut.  So a record found that is hers more likely than not is read, the husband's
surname is taken from it, and the search is made once more with it.

What is followed is said in the answer, with the record that told it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from forebear.normalize.given_names import sex_of_given
from forebear.normalize.names import spell, split_given
from forebear.records.names import Name, NameKind
from forebear.records.personas import Persona, Sex
from forebear.records.record import Record
from forebear.search.expansion.clauses import Condition
from forebear.search.fusion.shifted import FusedHit
from forebear.search.query.person_query import PersonQuery
from forebear.search.record_search.ranked_list import Hit
from forebear.search.terms.names import surname_terms
from forebear.search.terms.people import kin_of

LEAST_CHANCE = 0.5  # that the record is hers, before it is believed
MOST_READ = 8  # records
MOST_NAMES = 2
# One of these says that she stands on the record under a surname of the query; the other, that
# her husband does, and she perhaps under the birth name.
OWN_SURNAME = frozenset(f"self.surname.{level}" for level in ("variant", "similar", "edit1"))
HUSBAND = frozenset({"spouse.given.variant", "spouse.surname.variant"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowedName:
    """A surname that a record told."""

    surname: str
    kind: NameKind
    record_key: str

    def __str__(self) -> str:
        return f"{self.kind} name {self.surname}, as {self.record_key} tells"


def followed_names(
    query: PersonQuery,
    fused: Sequence[FusedHit],
    known: Condition,
    read: Callable[[str], Record | None],
) -> tuple[FollowedName, ...]:
    """Return the husbands' surnames on records that are likely hers, the likeliest first.

    ``known`` are the surnames that were asked for in any form; ``read`` reads a record.
    """
    if not any(name.given and name.surname for name in query.names) or _sex(query) == "m":
        return ()
    found: dict[str, FollowedName] = {}
    likely = (each.hit for each in fused[:MOST_READ] if each.probability >= LEAST_CHANCE)
    for hit in likely:
        record = read(hit.record_key) if _may_tell(hit) else None
        for kind, surname in _told(query, record, hit) if record else ():
            if surname and known.isdisjoint(surname_terms("self.surname", surname)):
                told = FollowedName(surname=surname, kind=kind, record_key=hit.record_key)
                found.setdefault(spell(surname), told)
    return tuple(found.values())[:MOST_NAMES]


def with_names(query: PersonQuery, followed: Sequence[FollowedName]) -> PersonQuery:
    """Return the query with names by marriage besides its own."""
    given = next(name.given for name in query.names if name.given)
    added = (Name(given=given, surname=each.surname, kind=each.kind) for each in followed)
    return replace(query, names=(*query.names, *added))


def _may_tell(hit: Hit) -> bool:
    return not OWN_SURNAME.isdisjoint(hit.fired) or HUSBAND.issubset(hit.fired)


def _told(query: PersonQuery, record: Record, hit: Hit) -> Iterator[tuple[NameKind, str]]:
    """Yield the surnames that a record tells of her, and how she came to them."""
    persona = record.personas[hit.position]
    if not _is_woman(query, persona):
        return
    if not OWN_SURNAME.isdisjoint(hit.fired):
        yield from (("married", surname) for surname in _husbands(record, persona))
    elif HUSBAND.issubset(hit.fired):
        yield from (("birth", name.surname) for name in persona.names)


def _husbands(record: Record, persona: Persona) -> list[str]:
    """Return the surname of her husband, or where he has none there, of her child."""
    kin = kin_of(persona, [other for other in record.personas if other is not persona])
    for wanted in ("spouse", "child"):
        names = [name for relation, other in kin if relation == wanted for name in other.names]
        if any(name.surname for name in names):
            return [name.surname for name in names]
    return []


def _is_woman(query: PersonQuery, persona: Persona) -> bool:
    if query.sex or persona.sex:
        return "f" in (query.sex, persona.sex)
    return _sex(query) == "f"


def _sex(query: PersonQuery) -> Sex | None:
    """Return the sex that a query states, else the one that its given names are of."""
    given = [token for name in query.names for token in split_given(name.given)[:1]]
    told = {sex_of_given(token) for token in given}
    return query.sex or ("f" if "f" in told else "m" if "m" in told else None)
