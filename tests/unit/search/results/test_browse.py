"""Tests for `forebear.search.results.browse`: a collection as its register has it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear.records.collections import Collection
from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.search.results.browse import CollectionRow, collection_search, neighbors
from forebear.storage.memory import MemoryStorage

OWNER = Viewer(year=2026, is_owner=True)
CENSUS = Collection(name="census", title="", record_type="census")


def browsed(archive: MemoryStorage, shelf: Collection, **part: object) -> list[str]:
    search = collection_search(shelf, archive.knowledge(OWNER), **part)  # type: ignore[arg-type]
    return sorted(row.record_key for row in archive.browse(search, viewer=OWNER))


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

    assert archive.browse(search, viewer=Viewer(year=1961)) == []
    assert len(archive.browse(search, viewer=Viewer(year=2026))) == len(household)


def test_no_place_is_refused(archive: MemoryStorage) -> None:
    with pytest.raises(InputError, match="names no place"):
        collection_search(CENSUS, archive.knowledge(OWNER), place="-")


@given(st.permutations(range(1, 12)), st.integers(1, 4), st.integers(1, 11))
def test_neighbors_stand_by_line_not_by_text_or_time_of_writing(
    written: list[int], around: int, line: int
) -> None:
    rows = [CollectionRow(record_key=f"c:{n}", source=f"book.csv:{n}") for n in written]

    near = neighbors(rows, f"c:{line}", around=around)

    lines = [int(row.record_key[2:]) for row in near]
    assert lines == list(range(max(1, line - around), min(11, line + around) + 1))


def test_neighbors_are_of_the_same_file() -> None:
    rows = [
        CollectionRow(record_key=f"c:{file}{n}", source=f"{file}.csv:{n}")
        for file in "ab"
        for n in (1, 2, 3)
    ]

    assert [row.record_key for row in neighbors(rows, "c:a3", around=2)] == ["c:a1", "c:a2", "c:a3"]


def test_a_row_without_a_line_has_its_place_too() -> None:
    row = CollectionRow(record_key="c:1", source="a tree")

    assert row.place == ("a tree", 0, "c:1")
    assert replace(row, source="a:b:12").place == ("a:b", 12, "c:1")
