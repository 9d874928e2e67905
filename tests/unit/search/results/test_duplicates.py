"""Tests for `forebear.search.results.duplicates`: the same event, and the same entry twice."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from tests.hits import make_list

from forebear.normalize.dates import read_date
from forebear.normalize.places import read_place
from forebear.records.record import Event, Name, Record
from forebear.search.hits import Hits, join_hits
from forebear.search.results.duplicates import Duplicates, Read, is_identical, same_event
from forebear.search.results.page import make_page

CLAUSES = ("self.surname.exact", "self.surname.phonetic")


@pytest.fixture
def again(baptism: Record) -> Record:
    """The baptism as another collection has it: no notes, the village without its church."""
    event = replace(baptism.event, place=read_place("Layham, Suffolk").place)
    return replace(baptism, collection="index", id="7", event=event, text="")


def hit(record: Record, score: int, *fired: str) -> Hits:
    """Return the one hit of a list."""
    return make_list(
        "baptism",
        {record.key: score},
        record_type=record.record_type,
        clauses=CLAUSES,
        fired={record.key: fired},
    ).hits


def reader(*records: Record) -> Read:
    """Return how some records are read."""
    by_key = {record.key: record for record in records}
    return lambda keys: {key: by_key[key] for key in keys if key in by_key}


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
    other = renamed(replace(baptism, id="b2"), 0, "Mary", "Brown")
    fused = join_hits([hit(again, 90), hit(other, 80), hit(baptism, 70)])

    duplicates = Duplicates(fused, reader(baptism, again, other))
    page = make_page(fused, (), duplicates=duplicates)

    assert page.ranks == (1, 2)
    assert [shown.record_key for shown in page.hits] == ["index:7", "baptism:b2"]
    assert [duplicates.also(shown) for shown in page.hits] == [("baptism:b1",), ()]
    assert page.total == 3


def test_on_a_later_page_it_is_not_shown_again(baptism: Record, again: Record) -> None:
    fused = join_hits([hit(again, 90), hit(baptism, 70)])

    second = make_page(
        fused, (), number=2, size=1, duplicates=Duplicates(fused, reader(baptism, again))
    )

    assert second.hits == ()


def test_only_records_that_fire_alike_on_names_and_years_are_read(
    baptism: Record, again: Record
) -> None:
    read: list[str] = []

    def get(keys: Sequence[str]) -> dict[str, Record]:
        read.extend(keys)
        return {}

    exact = hit(baptism, 70, "self.surname.exact")
    unlike = join_hits([hit(again, 90, "self.surname.phonetic"), exact])
    alone = join_hits([exact, hit(replace(baptism, id="b2"), 60)])
    for fused in (unlike, alone):
        duplicates = Duplicates(fused, get)
        assert not any(
            duplicates.is_repeat(fused_hit) or duplicates.also(fused_hit) for fused_hit in fused
        )

    assert read == []


def test_a_record_that_is_gone_repeats_nothing(baptism: Record, again: Record) -> None:
    fused = join_hits([hit(again, 90), hit(baptism, 70)])

    assert not any(map(Duplicates(fused, reader(baptism)).is_repeat, fused))


def test_the_same_entry_twice_in_a_collection_is_shown_once_with_its_count(
    baptism: Record,
) -> None:
    twice = replace(baptism, id="b2", source="another.csv:9", row=(("file", "another.csv"),))
    fused = join_hits([hit(baptism, 90), hit(twice, 90)])

    duplicates = Duplicates(fused, reader(baptism, twice))
    first, second = (make_page(fused, (), number=n, size=1, duplicates=duplicates) for n in (1, 2))

    assert [shown.record_key for shown in (*first.hits, *second.hits)] in (
        [baptism.key],
        [twice.key],
    )
    assert [duplicates.identical(fused_hit) for fused_hit in fused] == [
        (twice.key,),
        (baptism.key,),
    ]
    assert [duplicates.also(fused_hit) for fused_hit in fused] == [(), ()]
    assert first.total == second.total == 2


def test_whatever_is_said_otherwise_makes_it_another_entry(baptism: Record) -> None:
    masked = replace(baptism.personas[1], is_masked=True)
    others = [
        replace(baptism, text="a twin"),
        replace(baptism, subtype="adult"),
        replace(baptism, citation="page 4"),
        renamed(baptism, 1, "James", "Brown"),
        at(baptism, date="31 Mar 1851"),
    ]
    one_of_a_household = replace(baptism, group="h1")
    with_somebody_hidden = replace(baptism, personas=(baptism.personas[0], masked))

    assert is_identical(baptism, replace(baptism, id="b2"))
    assert [other for other in others if is_identical(baptism, other)] == []
    assert not is_identical(one_of_a_household, one_of_a_household)
    assert not is_identical(with_somebody_hidden, with_somebody_hidden)
