"""Records for tests that need some: a baptism of a child with its father."""

from forebear.normalize.dates import parse_date
from forebear.normalize.places import parse_place
from forebear.records.collections import Collection
from forebear.records.events import Event
from forebear.records.names import Name
from forebear.records.personas import Persona
from forebear.records.record import Record


def make_collection(
    name: str = "baptisms", record_type: str = "baptism", **more: int
) -> Collection:
    return Collection(name=name, title=name, record_type=record_type, **more)


def make_baptism(
    number: str, given: str = "John", surname: str = "Smith", date: str = "12 Mar 1851"
) -> Record:
    return Record(
        collection="baptisms",
        id=number,
        record_type="baptism",
        event=Event(kind="baptism", date=parse_date(date), place=parse_place("Layham, Suffolk")),
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
        source="register.csv:7",
    )
