"""Tests for what each kind of record gives its fields: ships, units, streets, sources."""

from typing import Any

import pytest

from forebear.normalize.dates import read_date
from forebear.normalize.places import read_place
from forebear.records.collections import RECORD_TYPES, Collection
from forebear.records.record import Event, Name, Persona, Record
from forebear.search.expansion.catalog import load_catalog
from forebear.search.terms.term import HAS, field_of, value_of
from forebear.search.terms.write import write_terms


def event(kind: str, date: str = "", place: str = "", **more: str) -> Event:
    date_ = read_date(date) if date else None
    return Event(kind=kind, date=date_, place=read_place(place).place if place else None, **more)


def written(record_type: str, own: Event | None = None, **more: Any) -> dict[str, set[str]]:
    """Return the fields of the one person of a record, whatever is said of them."""
    of_record = {key: more.pop(key) for key in ("events", "text", "citation") if key in more}
    names = more.pop("names", (Name(given="Ann", surname="Hall"),))
    events = more.pop("own_events", ())
    person = Persona(role="p", kin="self", names=names, events=events, is_principal=True, **more)
    record = Record(
        collection="c",
        id="1",
        record_type=record_type,
        event=own or event(RECORD_TYPES[record_type].event, "1881"),
        personas=(person,),
        **of_record,
    )
    collection = Collection(name="c", title="c", record_type=record_type)
    (persona,) = write_terms((record,), collection)
    fields: dict[str, set[str]] = {}
    for term in persona.terms:
        fields.setdefault(field_of(term), set()).add(value_of(term))
    return fields


def test_a_passage_has_a_ship_a_port_and_a_destination() -> None:
    fields = written(
        "immigration",
        event("arrival", "9 May 1881", "New York, USA", detail="S.S. Etruria"),
        events=(event("departure", "1 May 1881", "Cork, Ireland"),),
        own_events=(event("destination", "", "Boston, MA, USA"),),
        attributes=(("nationality", "Irish"),),
    )

    assert fields["arrival.ship"] == {"etruria"}
    assert "1881-05-09" in fields["arrival.date"]
    assert "p:cork,ireland" in fields["departure.place"]
    assert "p:boston,massachusetts,united states" in fields["destination.place"]
    assert fields["self.nationality"] == {"p:ireland"}


def test_a_soldier_has_a_rank_a_unit_and_a_number() -> None:
    fields = written(
        "military",
        names=(Name(given="John", surname="Hall", title="Sgt."),),
        attributes=(("Regiment", "21st Fusiliers"), ("service_number", "No. 10345")),
    )

    assert fields["self.title"] == {"sgt"}
    assert fields["self.organization"] == {"21st", "fusiliers"}
    assert fields["self.identifier"] == {"service:10345"}


def test_a_street_is_written_with_and_without_the_house() -> None:
    lives = event("residence", "1881", "Leeds, Yorkshire", address="12 High St.")

    fields = written("residence", own_events=(lives,))

    assert fields["residence.address"] == {"high street", "12 high street"}
    assert {"high", "street", "leeds"} <= fields["residence.place.word"]


def test_years_married_give_the_wedding_and_a_year_of_immigration_the_arrival() -> None:
    attributes = (("years married", "5"), ("year of immigration", "1870"))

    fields = written("census", event("residence", "3 Apr 1881"), attributes=attributes)

    assert fields["marriage.year"] == {"1875", "1876"}
    assert fields["arrival.year"] == {"1870"}


def test_the_own_event_of_a_birth_is_the_childs_unless_it_has_another() -> None:
    quarter = event("birth", "MAR Q 1851", "Hadleigh, Suffolk")

    fields = written("birth", quarter)
    stated = written("birth", quarter, own_events=(event("birth", "30 Dec 1850"),))

    assert "1851-q1" in fields["event.date"] & fields["birth.date"]
    assert stated["birth.year"] == {"1850"}
    assert stated["event.year"] == {"1851"}


def test_other_names_are_names_too() -> None:
    name = Name(given="Jan", surname="de Vries", patronymic="Pietersz", nickname="Jantje")

    fields = written("census", names=(name,))

    assert fields["self.surname"] == {"de vries", "pietersz"}
    assert fields["self.given"] == {"jan", "jantje"}


def test_an_uncertain_reading_is_every_name_it_may_be() -> None:
    fields = written("burial", names=(Name(given="Ann", surname="Sm[iy]th"),))

    assert fields["self.surname"] == {"smith", "smyth"}


def test_sound_keys_leave_the_particle_out_as_well() -> None:
    berg = written("census", names=(Name(given="Jan", surname="Berg"),))
    van = written("census", names=(Name(given="Jan", surname="van den Berg"),))

    for key in ("dm", "sound", "shape"):
        assert berg[f"self.surname.{key}"] <= van[f"self.surname.{key}"]


@pytest.mark.parametrize(
    ("citation", "expected"),
    [("", None), ("Bible", {"any"}), ("a; b; c", {"any", "three"})],
)
def test_a_tree_is_as_good_as_its_sources(citation: str, expected: set[str] | None) -> None:
    assert written("family_tree", citation=citation).get("record.sources") == expected


def test_what_no_field_is_for_is_found_by_its_words() -> None:
    fields = written("court", text="Convicted", attributes=(("verdict", "guilty of larceny"),))

    assert {"convicted", "guilty", "larceny"} <= fields["record.text"]


@pytest.mark.parametrize("record_type", RECORD_TYPES)
def test_nothing_is_written_that_no_clause_of_the_catalog_could_read(record_type: str) -> None:
    read = {field for rows in load_catalog().values() for row in rows for field in row.fields}

    fields = written(
        record_type,
        own_events=tuple(event(kind, "1851", "Leeds") for kind in ("birth", "death", "burial")),
        occupation="weaver",
        religion="quaker",
        marital="single",
        sex="f",
        text="words",
    )

    assert fields.keys() - {HAS, "collection"} <= read
