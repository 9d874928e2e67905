"""Tests for `forebear.search.results.describe`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from forebear.errors import InputError
from forebear.records.collections import Collection
from forebear.records.privacy import Viewer
from forebear.records.record import Name, Record
from forebear.search.results.describe import (
    collection_search,
    describe,
    neighbors,
    parse_row,
    row_cursor,
)
from forebear.search.store import CollectionRow, source_position
from forebear.storage.memory import MemoryStorage
from making import make_baptism, make_collection


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


OWNER = Viewer(year=2026, is_owner=True)
CENSUS = Collection(name="census", title="", record_type="census")


def browsed(archive: MemoryStorage, collection: Collection, **part: object) -> list[str]:
    search = collection_search(collection, archive.knowledge(OWNER), **part)  # type: ignore[arg-type]
    return sorted(row.record_key for row in archive.browse(search, viewer=OWNER, limit=99))


def test_a_collection_is_browsed_whole_or_by_place_and_year(archive: MemoryStorage) -> None:
    everybody = [f"census:c{n}" for n in range(1, 6)]

    assert browsed(archive, CENSUS) == everybody
    assert browsed(archive, CENSUS, place="Hadleigh, Suffolk", year=1881) == everybody
    assert browsed(archive, CENSUS, place="p:suffolk,england") == everybody
    assert browsed(archive, CENSUS, place="Ipswich, Suffolk") == []
    assert browsed(archive, CENSUS, year=1882) == []


def test_whoever_may_not_see_a_record_does_not_browse_it(
    archive: MemoryStorage, household: tuple[Record, ...]
) -> None:
    search = collection_search(CENSUS, archive.knowledge(OWNER))

    assert archive.browse(search, viewer=Viewer(year=1961), limit=9) == []
    assert len(archive.browse(search, viewer=Viewer(year=2026), limit=9)) == len(household)


def test_no_place_is_refused(archive: MemoryStorage) -> None:
    with pytest.raises(InputError, match="names no place"):
        collection_search(CENSUS, archive.knowledge(OWNER), place="-")


@given(st.permutations(range(1, 12)), st.integers(1, 4), st.integers(1, 11))
def test_neighbors_are_in_the_order_of_lines_not_of_text_or_time_of_writing(
    written: list[int], around: int, line: int
) -> None:
    storage = MemoryStorage()
    storage.put_collection(make_collection())
    records = {n: make_baptism(str(n), source=f"book.csv:{n}") for n in written}
    storage.write([(record,) for record in records.values()])
    search = collection_search(make_collection(), storage.knowledge(OWNER))

    near = neighbors(storage, search, OWNER, records[line], around=around)

    lines = [int(row.record_key.partition(":")[2]) for row in near]
    assert lines == list(range(max(1, line - around), min(11, line + around) + 1))


def test_a_row_without_a_line_has_its_position_too() -> None:
    positions = [source_position(source) for source in ("a tree", "a:b:2", "a:b:12", "b:1", "")]

    assert positions == [
        "a tree\t000000000000",
        "a:b\t000000000002",
        "a:b\t000000000012",
        "b\t000000000001",
        "\t000000000000",
    ]
    assert CollectionRow(position=positions[2], record_key="c:1").file == "a:b"


@given(st.text(), st.text())
def test_a_cursor_names_its_row(position: str, key: str) -> None:
    row = CollectionRow(position=position, record_key=key)

    assert parse_row(row_cursor(row)) == row


@pytest.mark.parametrize("cursor", ["x", "W10", "%00", "é", "WyJhIl0", "WzEsMl0", "W" * 9999])
def test_what_is_no_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(InputError, match="is not a cursor"):
        parse_row(cursor)
