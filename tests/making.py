"""Records for tests that need some: a baptism of a child with its father, a table of burials."""

from forebear.normalize.dates import read_date
from forebear.normalize.places import read_place
from forebear.records.collections import Collection
from forebear.records.record import Event, Name, Persona, Record

# How a table of burials is read: id, date, parish, county, given, surname.
BURIALS = """
[collection]
name = "burials"
title = "Burials"
record_type = "burial"
[record]
id = "id"
date = "date"
place = ["parish", "county"]
[[persona]]
role = "deceased"
kin = "self"
principal = true
given = "given"
surname = "surname"
"""


def make_collection(
    name: str = "baptisms", record_type: str = "baptism", **more: int
) -> Collection:
    return Collection(name=name, title=name, record_type=record_type, **more)


def make_baptism(
    number: str,
    given: str = "John",
    surname: str = "Smith",
    date: str = "12 Mar 1851",
    *,
    place: str = "Layham, Suffolk",
    collection: str = "baptisms",
    source: str = "register.csv:7",
) -> Record:
    return Record(
        collection=collection,
        id=number,
        record_type="baptism",
        event=Event(kind="baptism", date=read_date(date), place=read_place(place).place),
        personas=(
            Persona(
                role="child",
                kin="self",
                is_principal=True,
                sex="m",
                names=(Name(given=given, surname=surname),),
            ),
            Persona(
                role="father",
                kin="parent",
                sex="m",
                names=(Name(given="Thomas", surname=surname),),
            ),
        ),
        text="twin",
        row=(("forename", given), ("surname", surname), ("note", "")),
        source=source,
    )
