"""A record with everything it may have survives each form it is written in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import RecordError
from forebear.ingest.record_json import (
    collection_from_json,
    collection_to_json,
    record_from_json,
    record_to_json,
)
from forebear.records.collections import Collection
from forebear.records.record import (
    Age,
    Day,
    Event,
    HistoricalDate,
    Name,
    Persona,
    Place,
    Record,
    Relative,
)
from forebear.storage.sqlite.codec import (
    decode_collection,
    decode_record,
    encode_collection,
    encode_headings,
    encode_record,
)
from strategies import groups

DAY = Day(1811, 7, 2)
EVENT = Event(
    kind="marriage",
    date=HistoricalDate(text="2 Jul 1811", start=DAY, end=DAY, precision="day"),
    place=Place(text="Leiden", levels=("leiden", "netherlands")),
    address="Breestraat 4",
    detail="by licence",
)
FULL = Record(
    collection="trees",
    id="I1",
    record_type="family_tree",
    event=EVENT,
    personas=(
        Persona(
            role="self",
            kin="self",
            names=(
                Name(
                    given="Jan",
                    surname="van der Berg",
                    prefix="van der",
                    patronymic="Pietersz",
                    nickname="Jantje",
                ),
            ),
            sex="m",
            age=Age(text="23", born_from=Day(1787, 7, 3), born_to=DAY),
            events=(EVENT,),
            is_principal=True,
            key="p1",
            relatives=(Relative(key="p2", relation="spouse"),),
            attributes=(("rank", "sergeant"),),
        ),
    ),
    row=(("NAME", "Jan /van der Berg/"),),
    events=(Event(kind="banns", date=EVENT.date),),
    citation="Erfgoed Leiden, 1.1",
    image="https://example.org/1",
)


def stored(record: Record) -> Record:
    headings = encode_headings([column for column, _ in record.row])
    return decode_record(encode_record(record), headings)


def test_an_archive_gives_back_what_it_was_given() -> None:
    assert stored(FULL) == FULL


def test_json_gives_back_what_it_was_given() -> None:
    assert record_from_json(json.loads(json.dumps(record_to_json(FULL)))) == FULL


@given(groups())
def test_every_record_survives_both_forms(group: tuple[Record, ...]) -> None:
    for record in group:
        assert stored(record) == record
        assert record_from_json(json.loads(json.dumps(record_to_json(record)))) == record


def test_a_record_written_before_there_were_more_fields_still_opens() -> None:
    old = '{"collection":"c","id":"1","record_type":"burial","event":{"kind":"burial"}}'

    assert decode_record(old, "[]").citation == ""


@given(st.booleans(), st.sampled_from(["", "inquest"]))
def test_a_collection_survives_both_forms(one_per_person: bool, subtype: str) -> None:
    collection = Collection(
        name="c", title="C", record_type="court", subtype=subtype, one_per_person=one_per_person
    )

    assert decode_collection(encode_collection(collection)) == collection
    assert collection_from_json(collection_to_json(collection)) == collection


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"person": []}, "unknown key 'person'"),
        ({"id": 3}, "record.id: found '3', wanted str"),
        ({"personas": {}}, "wanted a list"),
        ({"event": {"kind": "birth", "date": {"text": "", "start": "1850"}}}, "wanted a day"),
        ({"personas": [{"role": "a", "kin": "uncle"}]}, "wanted self or spouse"),
    ],
)
def test_json_of_another_form_is_refused_where_it_differs(
    change: dict[str, object], message: str
) -> None:
    with pytest.raises(RecordError, match=r"record") as caught:
        record_from_json({**record_to_json(FULL), **change})

    assert message in caught.value.message
