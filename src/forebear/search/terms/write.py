"""A persona becomes terms: the person, their relatives on the record, the events, the record.

Everybody else on the record, and on the other records of its group, is renamed relative
to the persona: a father on his child's baptism is written with that child and with the
mother as his spouse.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from forebear.normalize.names import is_initial, spell, split_given
from forebear.normalize.places import ancestor_ids, ids_by_level, place_id, place_words
from forebear.normalize.sound_keys import daitch_mokotoff
from forebear.normalize.text_words import text_words
from forebear.records.collections import Collection
from forebear.records.dates import HistoricalDate
from forebear.records.events import Event
from forebear.records.names import Name
from forebear.records.personas import Persona, relation_between
from forebear.records.places import Place
from forebear.records.record import Record
from forebear.search.terms.dates import allowed_years, named_values
from forebear.search.terms.fields import COLLECTION, HAS, NOWHERE, PersonaTerms

# A bigger "household" is a ship or a workhouse: its people are not each other's family.
MAX_FAMILY = 40

Pairs = Iterator[tuple[str, str | int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPersona:
    """A persona of a record, by its position there, as terms."""

    record_key: str
    position: int
    terms: PersonaTerms


def write_terms(group: Sequence[Record], collection: Collection) -> list[WrittenPersona]:
    """Return every named persona of a group of records as terms."""
    return [
        WrittenPersona(
            record_key=record.key,
            position=position,
            terms=_terms_of(record, persona, _others(group, persona), collection),
        )
        for record in group
        for position, persona in enumerate(record.personas)
        if persona.names
    ]


def _others(group: Sequence[Record], persona: Persona) -> list[Persona]:
    everyone = [other for record in group for other in record.personas if other is not persona]
    return everyone if len(everyone) < MAX_FAMILY else []


def _terms_of(
    record: Record, persona: Persona, others: Sequence[Persona], collection: Collection
) -> PersonaTerms:
    pairs = [
        *_person(persona),
        *_inferred_surname(persona, others),
        *_relatives(record, persona, others),
        *_everybody_else(others),
        *_life(record, persona),
        *_record(record, persona, collection),
    ]
    facts = {f"{field}={value}" for field, value in pairs if value != ""}
    markers = {f"{HAS}={field}" for field, value in pairs if value != ""}
    return frozenset(facts | markers | {f"{COLLECTION}={record.collection}"})


def _person(persona: Persona) -> Pairs:
    for name in persona.names:
        yield from _surname("self.surname", name.surname)
        yield from _given("self.given", name.given, "self.middle")
        yield "self.suffix", spell(name.suffix).rstrip(".")
        yield "self.title", spell(name.title).rstrip(".")
    yield "self.sex", persona.sex or ""
    yield "self.occupation", spell(persona.occupation)
    yield "self.religion", spell(persona.religion)
    yield "self.marital", persona.marital


def _inferred_surname(persona: Persona, others: Sequence[Persona]) -> Pairs:
    if any(spell(name.surname) for name in persona.names):
        return
    for other in others:
        if relation_between(persona, other) in ("spouse", "parent") or other.kin == "self":
            yield from (("self.surname.inferred", spell(name.surname)) for name in other.names)


def _relatives(record: Record, persona: Persona, others: Sequence[Persona]) -> Pairs:
    kin = [(relation_between(persona, other), other) for other in others]
    parents = [other for relation, other in kin if relation == "parent"]
    in_laws = [other for relation, other in kin if relation == "spouse_parent"]
    yield from _parents(record, parents)
    yield from _spouse_parents(in_laws)
    for relation, other in kin:
        for name in other.names:
            if relation == "spouse":
                yield from _given("spouse.given", name.given)
                yield from _surname("spouse.surname", name.surname)
            elif relation in ("child", "sibling"):
                yield from _first(f"{relation}.given", name.given)


def _parents(record: Record, parents: Sequence[Persona]) -> Pairs:
    fathers = {
        spell(name.surname) for parent in parents if parent.sex != "f" for name in parent.names
    }
    for parent in parents:
        subject = "mother" if parent.sex == "f" else "father"
        birth = parent.event("birth")
        yield from _place(f"{subject}.birthplace", birth.place if birth else None, words=False)
        for name in parent.names:
            yield from _given(f"{subject}.given", name.given)
            if subject == "father":
                yield from _surname("father.surname", name.surname)
            elif record.record_type != "census" and _is_maiden(name, fathers):
                # On a census a widow stands under her husband's name, here she would not.
                yield from _surname("mother.maiden", name.surname)
        if subject == "father":
            yield "father.occupation", spell(parent.occupation)


def _is_maiden(name: Name, fathers: set[str]) -> bool:
    return name.kind != "married" and spell(name.surname) not in fathers


def _spouse_parents(in_laws: Sequence[Persona]) -> Pairs:
    for parent in in_laws:
        subject, surname = (
            ("spouse_mother", "maiden") if parent.sex == "f" else ("spouse_father", "surname")
        )
        for name in parent.names:
            yield from _first(f"{subject}.given", name.given)
            yield f"{subject}.{surname}", spell(name.surname)


def _everybody_else(others: Iterable[Persona]) -> Pairs:
    for other in others:
        for name in other.names:
            first = next(iter(split_given(name.given)), "")
            surname = spell(name.surname)
            yield "other.given", first
            yield "other.surname", surname
            if first and surname:
                yield "other.name", f"{first} {surname}"


def _life(record: Record, persona: Persona) -> Pairs:
    birth, death = persona.event("birth"), persona.event("death")
    if persona.age and (persona.age.born_from or persona.age.born_to):
        from_age = HistoricalDate(
            text=persona.age.text, start=persona.age.born_from, end=persona.age.born_to
        )
        yield from (("birth.year.age", year) for year in allowed_years(from_age))
        if birth is None or birth.date is None or not birth.date.is_known:
            yield from (("birth.year", year) for year in allowed_years(from_age))
            yield from (("birth.date", value) for value in _age_values(from_age))
    yield from _event("birth", birth)
    yield from _event("death", death)
    yield from _event("marriage", persona.event("marriage"))
    for event in persona.events:
        if event.kind == "residence":
            yield from _place("residence.place", event.place)
    if record.record_type == "census":
        yield from _place("residence.place", record.event.place)
    elif record.record_type == "marriage" and persona.kin in ("self", "spouse"):
        yield from _event("marriage", record.event)


def _age_values(born: HistoricalDate) -> Iterator[str]:
    """Yield the years an age names: both of an exact age, the decades of a rounded one.

    "Of full age" is open, and like every open date it names none.
    """
    if born.start is None or born.end is None:
        return
    years = allowed_years(born)
    if len(years) <= 2:
        yield from (str(year) for year in years)
    else:
        yield from sorted({f"{year // 10}x" for year in years})


def _record(record: Record, persona: Persona, collection: Collection) -> Pairs:
    event = record.event
    yield from _dates("event", event.date)
    if record.record_type != "census":
        yield from _place("event.place", event.place)
    yield "record.part", _part(record, persona)
    yield "record.role", persona.role
    if persona.kin == "parent":
        yield "record.role", "parent"
    if persona.is_principal:
        yield "record.role", "principal"
    yield "record.subtype", record.subtype
    for place in collection.places:
        yield "record.coverage", place_id(place.levels)
    for word in text_words(record.text):
        yield "record.text", word


def _part(record: Record, persona: Persona) -> str:
    year = record.event.date.last_year if record.event.date else None
    decade = "undated" if year is None else f"{year // 10}0"
    return f"{record.collection}/{decade}/{persona.role}"


def _event(subject: str, event: Event | None) -> Pairs:
    if event is not None:
        yield from _dates(subject, event.date)
        yield from _place(f"{subject}.place", event.place)


def _dates(subject: str, date: HistoricalDate | None) -> Pairs:
    if date is not None:
        yield from ((f"{subject}.date", value) for value in named_values(date))
        yield from ((f"{subject}.year", year) for year in allowed_years(date))


def _place(field: str, place: Place | None, *, words: bool = True) -> Pairs:
    if place is not None:
        yield from ((field, id_) for id_ in ancestor_ids(place))
        if not ids_by_level(place):
            yield field, NOWHERE
        if words:
            yield from ((f"{field}.word", word) for word in place_words(place.text))


def _surname(field: str, text: str) -> Pairs:
    surname = spell(text)
    yield field, surname
    for form in {surname, *surname.replace("-", " ").split()}:
        yield from ((f"{field}.dm", code) for code in daitch_mokotoff(form))


def _given(field: str, text: str, further: str = "") -> Pairs:
    tokens = split_given(text)
    for position, token in enumerate(tokens):
        if position and not further:
            break
        name = field if position == 0 else further
        yield name, token
        yield f"{name}.initial", f"{token[0]}." if is_initial(token) else token[0]
        if position == 0:
            yield from ((f"{name}.dm", code) for code in daitch_mokotoff(token))


def _first(field: str, text: str) -> Pairs:
    yield from ((field, token) for token in split_given(text)[:1])
