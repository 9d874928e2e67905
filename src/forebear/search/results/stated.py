"""What do the query and the record say of a fact?

The words are those of the searcher and those of the record, as it is shown to this viewer: a
relative who may be living is masked, and nothing of them is stated.  A clause names both sides:
``needs`` says which facts of the query it compares, ``fields`` with what of the record.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from forebear.records.record import Event, HistoricalDate, Name, Persona, Place, Record
from forebear.search.expansion.query_facts import ANY_EVENT, own_kinds
from forebear.search.expansion.year_rules import birth_from_age
from forebear.search.query.person_query import SEX_WORDS, LifeEvent, PersonQuery
from forebear.search.query.person_query import Relative as QueryRelative
from forebear.search.results.describe import display_name
from forebear.search.results.fact import SELF, Fact, fact_of_field
from forebear.search.terms.attributes import attribute_named
from forebear.search.terms.events import SUBJECTS, events_of
from forebear.search.terms.people import is_woman, kin_of
from forebear.search.terms.values import allowed_years
from forebear.search.terms.write import MAX_FAMILY

MOST_VALUES = 4  # that are written out
ADDED = "from another record"
OWN_SURNAME = "the person's surname"
LIFETIME = (Fact("birth", "date"), Fact("death", "date"), Fact("burial", "date"))


class Value(NamedTuple):
    """What one side says of a fact."""

    text: str
    years: range | None = None
    place: Place | None = None


Values = tuple[Value, ...]


class Statement(NamedTuple):
    """What both sides say of a fact."""

    stated: Values
    recorded: Values


@dataclass(frozen=True, slots=True, kw_only=True)
class QuerySide:
    """What a query says to records of one type."""

    query: PersonQuery  # with the names that were followed
    own_query: PersonQuery  # as the searcher gave it
    record_type: str = ""
    # The same for all record types, but for what is needed of a record's event.
    _values_by_fact: dict[Fact, Values] = field(repr=False, compare=False, default_factory=dict)
    _needed: dict[tuple[str, tuple[str, ...]], tuple[Fact, ...]] = field(
        repr=False, compare=False, default_factory=dict
    )

    def of_type(self, record_type: str) -> "QuerySide":
        """Return the same query for another record type."""
        return replace(self, record_type=record_type)

    def values(self, fact: Fact) -> Values:
        """Return what the query says of a fact, and what other records add to it."""
        if fact not in self._values_by_fact:
            self._values_by_fact[fact] = self._find_values(fact)
        return self._values_by_fact[fact]

    def _find_values(self, fact: Fact) -> Values:
        values = query_values(self.own_query, fact)
        if self.query is self.own_query:
            return values
        added = [value for value in query_values(self.query, fact) if value not in values]
        return (*values, *(value._replace(text=f"{value.text} ({ADDED})") for value in added))

    def implied(self, needs: Iterable[tuple[str, ...]]) -> Values:
        """Return the facts of the query that clauses compare, by what they need."""
        facts = dict.fromkeys(fact for need in needs for fact in self.needed(need))
        return _distinct(
            value._replace(text=f"{fact.title} {value.text}")
            for fact in facts
            for value in self.values(fact)
        )

    def with_own_surname(
        self, fact: Fact, stated: Values, needs: Iterable[tuple[str, ...]]
    ) -> Values:
        """Return what is stated of a relative, and the person's surname where it is compared.

        A father's surname is that of the person unless the query gives another.
        """
        if fact.kind != "name" or any(
            relative.surname for relative in self.query.relatives if relative.kind == fact.subject
        ):
            return stated
        instead = (need[1:] for need in needs if need[0] == f"{fact.subject}.surname" and need[1:])
        borrowed = (
            value for need in instead for other in self.needed(need) for value in self.values(other)
        )
        return _distinct(
            (*stated, *(value._replace(text=f"{value.text} ({OWN_SURNAME})") for value in borrowed))
        )

    def needed(self, need: tuple[str, ...]) -> Sequence[Fact]:
        """Return the facts of the query that answer a need of a clause: the first it states."""
        of_event = any(word.partition(".")[0] == "event" for word in need)
        key = (self.record_type if of_event else "", need)
        if key not in self._needed:
            stated = (
                tuple([fact for fact in self._facts_of(word) if self.values(fact)]) for word in need
            )
            self._needed[key] = next((facts for facts in stated if facts), ())
        return self._needed[key]

    def _facts_of(self, word: str) -> Iterable[Fact]:
        """Return the facts that a word of the catalog's needs names."""
        subject, _, rest = word.partition(".")
        kinds = dict.fromkeys(event.kind for event in self.query.events)
        if word == "lifespan":
            return LIFETIME
        if word == "dates":
            return [Fact(kind, "date") for kind in kinds]
        if word == "places":
            return [Fact(kind, "place") for kind in kinds]
        if word == "relatives":
            return (Fact("other", "name"),)
        if word == "keyword":
            return (Fact("keyword", ""),)
        if subject == "event":
            kind = fact_of_field(word).kind
            return [Fact(event, kind) for event in (*own_kinds(self.record_type), ANY_EVENT)]
        if "." in rest:  # the birth of a child, the marriage of the parents
            return (Fact(subject, rest.partition(".")[0]),)
        return (fact_of_field(word if rest else f"{SELF}.{word}"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSide:
    """A person on a record, as far as the viewer may see it."""

    record: Record
    position: int
    group: Sequence[Record]  # the record's household, itself included

    def values(self, *facts: Fact) -> Values:
        """Return what the record says of facts."""
        return _distinct(value for fact in facts for value in _record_values(self, fact))


def text_of(values: Values) -> str:
    """Return what one side says, in its words."""
    texts = [value.text for value in values]
    more = len(texts) - MOST_VALUES
    return "; ".join(texts[:MOST_VALUES]) + (f" and {more} more" if more > 0 else "")


def query_values(query: PersonQuery, fact: Fact) -> Values:
    """Return what a query says of a fact."""
    return _distinct(_query_values(query, fact))


def _query_values(query: PersonQuery, fact: Fact) -> Iterable[Value]:
    subject, kind = fact
    if subject == SELF:
        return _texts([*_name_parts(query.names, kind), *_words_of(query, kind)])
    if subject == "keyword":
        return _texts([query.keywords])
    people = {"parents": ("father", "mother"), "other": ()}.get(subject, (subject,))
    relatives = [relative for relative in query.relatives if relative.kind in people or not people]
    if relatives:
        return [value for relative in relatives for value in _relative_values(relative, kind)]
    events = [event for event in query.events if event.kind == subject]
    values = [value for event in events for value in _event_values(event, kind)]
    if not values and fact == ("birth", "date") and query.age is not None:
        span = birth_from_age(query.age)
        years = range(span.first, span.last + 1) if span else None
        return [Value(f"age {query.age.years} in {query.age.at.text}", years=years)]
    return values


def _relative_values(relative: QueryRelative, kind: str) -> Iterable[Value]:
    if kind == "name":
        return _texts([" ".join(filter(None, (relative.given, relative.surname)))])
    if kind == "occupation":
        return _texts([relative.occupation])
    if kind == "birthplace":
        return _places([relative.birthplace])
    return _dates(event.date for event in relative.events if event.kind == kind)


def _record_values(side: RecordSide, fact: Fact) -> Iterable[Value]:
    subject, kind = fact
    record = side.record
    persona = record.personas[side.position]
    if subject == SELF:
        attributes = [text for name, text in persona.attributes if _means(name, kind)]
        words = (*_name_parts(persona.names, kind), *_words_of(persona, kind))
        return _texts([*words, *attributes])
    if subject == "record":
        labels = {"role": persona.role.replace("_", " "), "subtype": record.subtype}
        return _texts([labels.get(kind, "")])
    if subject == "event":
        return _event_values(record.event, kind)
    if kind in ("name", "occupation", "birthplace"):
        return [
            value
            for other in _people(side, persona, subject)
            for value in _persona_values(other, kind)
        ]
    events = [event for event in events_of(record, persona) if SUBJECTS.get(event.kind) == subject]
    values = [value for event in events for value in _event_values(event, kind)]
    if not values and fact == ("birth", "date") and persona.age is not None:
        first, last = persona.age.born_from, persona.age.born_to
        if first is None or last is None:
            return [Value(f"age {persona.age.text}")]
        born = f"{first.year}–{last.year}" if first.year < last.year else f"{first.year}"
        years = range(first.year, last.year + 1)
        return [Value(f"age {persona.age.text}, born {born}", years=years)]
    return values


def _people(side: RecordSide, persona: Persona, subject: str) -> Iterable[Persona]:
    """Yield those on the record who are this to the persona, and whom the viewer may see."""
    others = [other for record in side.group for other in record.personas if other is not persona]
    if len(others) >= MAX_FAMILY:
        return
    for relation, other in kin_of(persona, others):
        if other.is_masked or not other.names:
            continue
        words: tuple[str, ...] = (relation, "other")
        if relation == "parent":
            words = ("mother" if is_woman(other) else "father", "parents", "other")
        elif relation == "spouse_parent":
            words = ("spouse_mother" if is_woman(other) else "spouse_father", "other")
        if subject in words:
            yield other


def _persona_values(persona: Persona, kind: str) -> Iterable[Value]:
    if kind == "name":
        return _texts([display_name(persona)])
    if kind == "occupation":
        return _texts([persona.occupation])
    birth = persona.event("birth")
    return _places([birth.place if birth else None])


def _event_values(event: Event | LifeEvent, kind: str) -> Iterable[Value]:
    if kind == "date":
        return _dates([event.date])
    if kind == "place":
        return _places([event.place])
    if kind == "address":
        return _texts([event.address])
    if kind == "ship":
        return _texts([event.ship if isinstance(event, LifeEvent) else event.detail])
    return ()


def _name_parts(names: Iterable[Name], kind: str) -> Iterable[str]:
    for name in names:
        if kind == "given":
            yield name.given
        elif kind == "middle":
            yield " ".join(name.given.split()[1:])
        elif kind == "name":
            yield " ".join(filter(None, (name.given, name.surname)))
        elif kind in ("suffix", "title"):
            yield getattr(name, kind)
        elif kind.endswith("surname"):
            yield name.surname


def _words_of(person: PersonQuery | Persona, kind: str) -> Iterable[str]:
    if kind == "sex":
        yield SEX_WORDS.get(person.sex or "", "")
    elif kind in ("occupation", "religion", "marital", "organization", "identifier"):
        yield getattr(person, kind, "")


def _means(attribute: str, kind: str) -> bool:
    meaning = attribute_named(attribute)
    return meaning is not None and meaning.meaning == kind


def _texts(texts: Iterable[str]) -> Iterable[Value]:
    return [Value(text) for text in texts if text]


def _dates(dates: Iterable[HistoricalDate | None]) -> Iterable[Value]:
    return [Value(date.text, years=allowed_years(date)) for date in dates if date]


def _places(places: Iterable[Place | None]) -> Iterable[Value]:
    return [Value(place.text, place=place) for place in places if place]


def _distinct(values: Iterable[Value]) -> Values:
    return tuple({value.text: value for value in values}.values())
