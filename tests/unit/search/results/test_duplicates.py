"""Tests for `forebear.search.results.duplicates`: the same event in two collections."""

import pytest
from msgspec.structs import replace

from forebear.normalize.dates import read_date
from forebear.normalize.places import read_place
from forebear.records.record import Event, Name, Record
from forebear.search.fusion.shifted import FusedHit, ListMove
from forebear.search.record_search.ranked_list import Hit
from forebear.search.results.duplicates import Duplicates, same_event
from forebear.search.results.page import make_page


@pytest.fixture
def again(baptism: Record) -> Record:
    """The baptism as another collection has it: no notes, the village without its church."""
    event = replace(baptism.event, place=read_place("Layham, Suffolk").place)
    return replace(baptism, collection="index", id="7", event=event, text="")


def hit(record: Record, score: int, *fired: str) -> FusedHit:
    return FusedHit(
        hit=Hit(record_key=record.key, position=0, score=score, fired=fired),
        list_name="baptism",
        record_type=record.record_type,
        move=ListMove(shift=0),
    )


def renamed(record: Record, position: int, given: str, surname: str) -> Record:
    personas = list(record.personas)
    name = Name(given=given, surname=surname)
    personas[position] = replace(personas[position], names=(name,))
    return replace(record, personas=tuple(personas))


def test_the_same_event_in_another_collection_is_known(baptism: Record, again: Record) -> None:
    assert same_event(baptism, again)
    assert same_event(again, baptism)


def test_what_one_transcript_leaves_out_is_no_difference(baptism: Record, again: Record) -> None:
    without_mother = replace(again, personas=again.personas[:2])

    assert same_event(baptism, without_mother)
    assert same_event(baptism, renamed(again, 0, "MARY  ANN", "brown"))


def at(record: Record, date: str = "30 Mar 1851", place: str = "Layham, Suffolk") -> Record:
    event = Event(
        kind="baptism",
        date=read_date(date) if date else None,
        place=read_place(place).place if place else None,
    )
    return replace(record, event=event)


def test_whatever_differs_makes_it_another_event(baptism: Record, again: Record) -> None:
    others = [
        replace(again, collection="baptism"),  # two rows of one collection are two
        replace(again, record_type="burial"),
        replace(again, group="h1"),
        renamed(again, 0, "Mary", "Brown"),
        renamed(again, 1, "James", "Brown"),  # the father
        replace(again, personas=again.personas[1:]),  # nobody it is about
        at(again, date="31 Mar 1851"),
        at(again, date="1851"),
        at(again, date=""),
        at(again, place="Hadleigh, Suffolk"),
        at(again, place="Suffolk, England"),  # a county is too large a place
        at(again, place=""),
    ]

    assert [other for other in others if same_event(baptism, other)] == []


def test_ages_that_differ_make_it_another_event(burial: Record) -> None:
    again = replace(burial, collection="index")
    older = replace(again.personas[0], age=replace(burial.personas[0].age, born_from=None))

    assert same_event(burial, again)
    assert not same_event(burial, replace(again, personas=(older, again.personas[1])))


def test_an_event_is_shown_once_with_both_citations(baptism: Record, again: Record) -> None:
    records = {record.key: record for record in (baptism, again)}
    other = replace(baptism, id="b2")
    fused = (hit(again, 90), hit(other, 80), hit(baptism, 70))

    found = Duplicates(fused, records.get)
    page = make_page(fused, (), duplicates=found)

    assert [(each.rank, each.hit.hit.record_key) for each in page.hits] == [
        (1, "index:7"),
        (2, "baptism:b2"),
    ]
    assert page.hits[0].also == ("baptism:b1",)
    assert page.hits[1].also == ()
    assert page.total == 3


def test_on_a_later_page_it_is_not_shown_again(baptism: Record, again: Record) -> None:
    records = {record.key: record for record in (baptism, again)}
    fused = (hit(again, 90), hit(baptism, 70))

    second = make_page(fused, (), number=2, size=1, duplicates=Duplicates(fused, records.get))

    assert second.hits == ()


def test_only_records_that_fire_alike_on_names_and_years_are_read(
    baptism: Record, again: Record
) -> None:
    read: list[str] = []

    def get(key: str) -> Record | None:
        read.append(key)
        return None

    unlike = (hit(again, 90, "self.surname.exact"), hit(baptism, 70, "self.surname.phonetic"))
    alone = (hit(baptism, 70), hit(replace(baptism, id="b2"), 60))
    for fused in (unlike, alone):
        found = Duplicates(fused, get)
        assert not any(found.is_repeat(each) or found.also(each) for each in fused)

    assert read == []


def test_a_record_that_is_gone_repeats_nothing(baptism: Record, again: Record) -> None:
    fused = (hit(again, 90), hit(baptism, 70))

    assert not any(map(Duplicates(fused, {baptism.key: baptism}.get).is_repeat, fused))
