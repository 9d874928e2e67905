"""Tests for `forebear.search.results.describe`."""

from msgspec.structs import replace

from forebear.records.record import Name, Record
from forebear.search.results.describe import describe


def test_a_bride_in_a_few_words(wedding: Record) -> None:
    description = describe(replace(wedding, source="weddings.csv:7"), 1, [wedding])

    assert description.record_key == "marriage:m1"
    assert (description.record_type, description.title) == ("marriage", "Marriage")
    assert (description.name, description.role, description.age) == (
        "Mary Ann Brown",
        "bride",
        "of full age",
    )
    assert (description.date, description.place) == ("2 Jun 1875", "Hadleigh, Suffolk")
    assert description.relatives == ("husband Thomas Green", "father John Brown", "mother Ann Hall")
    assert description.source == "weddings.csv:7"


def test_a_household_is_told_from_each_of_its_rows(household: tuple[Record, ...]) -> None:
    wife = describe(household[1], 0, household)
    son = describe(household[2], 0, household)
    lodger = describe(household[4], 0, household)

    assert wife.relatives == ("husband Thomas Green", "son Wm Green", "daughter Ann Green")
    assert son.relatives == ("father Thomas Green", "mother Mary A Green", "sister Ann Green")
    assert lodger.relatives == ()


def test_names_are_told_with_title_and_suffix_and_several_with_or(baptism: Record) -> None:
    names = (
        Name(given="John", surname="Brown", title="Capt", suffix="Jr"),
        Name(given="Jack", surname="Nunn", kind="alias"),
    )
    child = replace(baptism.personas[0], names=names, role="god_child", sex=None)

    description = describe(replace(baptism, personas=(child,)), 0, [])

    assert description.name == "Capt John Brown Jr or Jack Nunn"
    assert description.role == "god child"


def test_what_a_record_does_not_say_is_empty(baptism: Record) -> None:
    child = replace(baptism.personas[0], names=(), events=())
    bare = replace(baptism, event=replace(baptism.event, date=None, place=None), personas=(child,))

    description = describe(bare, 0, [bare])

    assert (description.name, description.date, description.place, description.age) == (
        "(no name)",
        "",
        "",
        "",
    )
    assert description.relatives == ()


def test_a_relative_without_a_name_is_not_told(baptism: Record) -> None:
    nameless = replace(baptism.personas[1], names=())
    record = replace(baptism, personas=(baptism.personas[0], nameless))

    assert describe(record, 0, [record]).relatives == ()
