"""A small archive written by hand: one family of Suffolk, on a record of each type."""

from collections.abc import Callable, Sequence

import pytest

from forebear.normalize.ages import read_age
from forebear.normalize.dates import read_date
from forebear.normalize.places import read_place
from forebear.records.collections import RECORD_TYPES, Collection
from forebear.records.privacy import OWNER
from forebear.records.record import Age, Event, Name, Persona, Record
from forebear.search.expansion.catalog import Clause
from forebear.search.expansion.expand import Expansion, expand
from forebear.search.expansion.facts import gather_facts
from forebear.search.expansion.query_facts import Facts
from forebear.search.query.person_query import query_from_json
from forebear.search.terms.term import PersonaTerms, field_of, value_of
from forebear.search.terms.write import write_terms
from forebear.storage.memory import MemoryStorage

Write = Callable[..., dict[str, PersonaTerms]]


def event(kind: str, date: str = "", place: str = "") -> Event:
    return Event(
        kind=kind,
        date=read_date(date) if date else None,
        place=read_place(place).place if place else None,
    )


def named(given: str, surname: str = "", **more: str) -> tuple[Name, ...]:
    return (Name(given=given, surname=surname, **more),)  # type: ignore[arg-type]


def aged(text: str, at: str, source: str) -> Age:
    return read_age(text, at=read_date(at), source=source)


def collection_of(record_type: str) -> Collection:
    covered = read_place("Suffolk, England").place
    return Collection(
        name=record_type,
        title=f"{record_type} records of Suffolk",
        record_type=record_type,
        places=(covered,) if covered else (),
    )


def record_of(record_type: str, id_: str, date: str, place: str, **more: object) -> Record:
    return Record(
        collection=record_type,
        id=id_,
        record_type=record_type,
        event=event(RECORD_TYPES[record_type].event, date, place),
        **more,  # type: ignore[arg-type]
    )


@pytest.fixture(scope="session")
def baptism() -> Record:
    return record_of(
        "baptism",
        "b1",
        "30 Mar 1851",
        "St Andrew, Layham, Suffolk",
        text="A twin; weak.",
        personas=(
            Persona(
                role="child",
                kin="self",
                names=named("Mary Ann", "Brown"),
                sex="f",
                events=(event("birth", "12 Mar 1851"), event("residence", "", "Layham, Suffolk")),
                is_principal=True,
            ),
            Persona(
                role="father",
                kin="parent",
                names=named("John", "Brown"),
                sex="m",
                occupation="Weaver",
            ),
            Persona(role="mother", kin="parent", names=named("Ann", "Hall"), sex="f"),
        ),
    )


@pytest.fixture(scope="session")
def wedding() -> Record:
    at = "2 Jun 1875"
    return record_of(
        "marriage",
        "m1",
        at,
        "Hadleigh, Suffolk",
        personas=(
            Persona(
                role="groom",
                kin="self",
                names=named("Thomas", "Green"),
                sex="m",
                age=aged("25", at, "marriage"),
                marital="single",
                occupation="Farmer",
                is_principal=True,
            ),
            Persona(
                role="bride",
                kin="spouse",
                names=named("Mary Ann", "Brown"),
                sex="f",
                age=aged("of full age", at, "marriage"),
                marital="single",
                is_principal=True,
            ),
            Persona(role="groom's father", kin="parent", names=named("James", "Green"), sex="m"),
            Persona(
                role="bride's father", kin="parent_in_law", names=named("John", "Brown"), sex="m"
            ),
            Persona(
                role="bride's mother", kin="parent_in_law", names=named("Ann", "Hall"), sex="f"
            ),
            Persona(role="witness", names=named("Sarah", "Hall")),
        ),
    )


@pytest.fixture(scope="session")
def burial() -> Record:
    at = "3 Feb 1911"
    return record_of(
        "burial",
        "d1",
        at,
        "Hadleigh, Suffolk",
        text="Mary's grave",
        personas=(
            Persona(
                role="deceased",
                kin="self",
                names=named("Mary Ann"),
                sex="f",
                age=aged("59", at, "burial"),
                marital="married",
                events=(event("death", "30 Jan 1911", "Ipswich, Suffolk"),),
                is_principal=True,
            ),
            Persona(role="husband", kin="spouse", names=named("Thomas", "Green"), sex="m"),
        ),
    )


@pytest.fixture(scope="session")
def household() -> tuple[Record, ...]:
    def row(number: int, role: str, kin: str, given: str, age: str, **more: object) -> Record:
        surname = str(more.pop("surname", "Green"))
        place = str(more.pop("born", "Hadleigh, Suffolk"))
        return record_of(
            "census",
            f"c{number}",
            "3 Apr 1881",
            "High Street, Hadleigh, Suffolk",
            group="h1",
            personas=(
                Persona(
                    role=role,
                    kin=kin,  # type: ignore[arg-type]
                    names=named(given, surname),
                    age=aged(age, "3 Apr 1881", "census"),
                    events=(event("birth", "", place),),
                    is_principal=True,
                    **more,  # type: ignore[arg-type]
                ),
            ),
        )

    return (
        row(1, "head", "self", "Thomas", "31", sex="m", occupation="Farmer", marital="married"),
        row(2, "wife", "spouse", "Mary A", "30", sex="f", born="Layham", marital="married"),
        row(3, "son", "child", "Wm", "5", sex="m"),
        row(4, "daughter", "child", "Ann", "3", sex="f"),
        row(5, "lodger", "other", "Geo", "40", sex="m", surname="O'Brien", born="Cork, Ireland"),
    )


@pytest.fixture(scope="session")
def archive(
    baptism: Record, wedding: Record, burial: Record, household: tuple[Record, ...]
) -> MemoryStorage:
    storage = MemoryStorage()
    for record_type in RECORD_TYPES:
        storage.put_collection(collection_of(record_type))
    storage.write([(baptism,), (wedding,), (burial,), household])
    # What runs "to the first or last year of the archive" then has somewhere to run to.
    for year in ("1650", "2020"):
        stranger = Persona(role="guest", names=named("Zachary", "Nunn"))
        storage.write([(record_of("marriage", year, year, "", personas=(stranger,)),)])
    return storage


@pytest.fixture(scope="session")
def write() -> Write:
    """Return how records are written: the terms of each persona, by its role."""

    def written(*group: Record) -> dict[str, PersonaTerms]:
        by_key = {record.key: record for record in group}
        return {
            by_key[persona.record_key].personas[persona.position].role: persona.terms
            for persona in write_terms(group, collection_of(group[0].record_type))
        }

    return written


@pytest.fixture(scope="session")
def fields_of() -> Callable[[PersonaTerms], dict[str, set[str]]]:
    """Return how terms are read back: the values of each field."""

    def fields(persona: PersonaTerms) -> dict[str, set[str]]:
        values: dict[str, set[str]] = {}
        for term in persona:
            values.setdefault(field_of(term), set()).add(value_of(term))
        return values

    return fields


@pytest.fixture(scope="session")
def ask(archive: MemoryStorage) -> Callable[..., Facts]:
    """Return how a query is resolved in the archive: its facts."""

    def facts(**query: object) -> Facts:
        return gather_facts(query_from_json(query), archive.knowledge(OWNER))

    return facts


@pytest.fixture(scope="session")
def expanded(ask: Callable[..., Facts]) -> Callable[..., Expansion]:
    """Return how a query is expanded for a record type."""

    def expansion(record_type: str, **query: object) -> Expansion:
        built = expand(ask(**query), record_type)
        assert built is not None, f"{record_type} cannot answer {query}"
        return built

    return expansion


@pytest.fixture(scope="session")
def clauses(expanded: Callable[..., Expansion]) -> Callable[..., dict[str, Clause]]:
    """Return how a query is put to a record type: its clauses by name."""

    def by_name(record_type: str, **query: object) -> dict[str, Clause]:
        return {clause.name: clause for clause in expanded(record_type, **query).clauses}

    return by_name


@pytest.fixture(scope="session")
def fired(clauses: Callable[..., dict[str, Clause]], write: Write) -> Callable[..., frozenset[str]]:
    """Return what a query finds in a persona: the names of the clauses that fire."""

    def names(group: Sequence[Record], role: str, **query: object) -> frozenset[str]:
        persona = write(*group)[role]
        by_name = clauses(group[0].record_type, **query)
        return frozenset(name for name, clause in by_name.items() if clause.fires_on(persona))

    return names
