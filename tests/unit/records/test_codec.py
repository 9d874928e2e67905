"""Tests for `forebear.records.codec`: a record survives each form it is written in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import RecordError
from forebear.records.codec import (
    collection_from_json,
    collection_to_json,
    decode_collection,
    decode_record,
    encode_collection,
    encode_headings,
    encode_record,
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


# As the version before wrote it: defaults spelled out, empty texts left out.
OLD = (
    '{"collection":"c","id":"1","record_type":"burial","event":{"kind":"burial","date":{"text":'
    '"1851","start":[1851,1,1],"end":[1851,12,31],"qualifier":"exact","precision":"year"},"place":'
    '{"levels":["layham"]}},"personas":[{"role":"deceased","kin":"self","names":[{"given":"Ann",'
    '"kind":"birth"}],"age":{"text":"3","born_from":[1848,1,1],"born_to":null},"is_principal":true,'
    '"relatives":[["p2","spouse"]],"attributes":[["rank","sergeant"]]}],"source":"b.csv:2",'
    '"row":["Ann"]}'
)


def test_a_record_that_an_older_version_wrote_is_the_same_record() -> None:
    record = decode_record(OLD, '["name"]')

    assert record.row == (("name", "Ann"),)
    assert record.event.date == HistoricalDate(
        text="1851", start=Day(1851, 1, 1), end=Day(1851, 12, 31), precision="year"
    )
    assert record.personas[0].relatives == (Relative(key="p2", relation="spouse"),)
    assert stored(record) == record
    assert len(encode_record(record)) < len(OLD)


def test_a_day_is_a_list_in_an_archive_and_a_text_in_a_file() -> None:
    assert '"start":[1811,7,2]' in encode_record(FULL)
    assert record_to_json(FULL)["event"]["date"]["start"] == "1811-07-02"


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
        ({"person": []}, "record: unknown key 'person'"),
        ({"id": 3}, "record.id: found 3, expected text"),
        ({"personas": {}}, "expected a list"),
        ({"event": {"kind": "birth", "date": {"text": "", "start": "1850"}}}, "expected a day"),
        ({"personas": [{"role": "a", "kin": "uncle"}]}, "expected self or spouse"),
    ],
)
def test_json_of_another_form_is_refused_where_it_differs(
    change: dict[str, object], message: str
) -> None:
    with pytest.raises(RecordError, match=r"record") as caught:
        record_from_json({**record_to_json(FULL), **change})

    assert message in caught.value.message


def test_a_misspelt_key_is_suggested() -> None:
    with pytest.raises(
        RecordError, match=r"record\.personas\[0\]: unknown key 'relativs'"
    ) as caught:
        record_from_json({**record_to_json(FULL), "personas": [{"role": "a", "relativs": []}]})

    assert "did you mean 'relatives'?" in (caught.value.hint or "")


def test_a_collection_that_cannot_be_named_so_is_refused() -> None:
    with pytest.raises(RecordError, match="'a:b' cannot name a collection"):
        collection_from_json({"name": "a:b", "title": "A", "record_type": "census"})
