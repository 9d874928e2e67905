"""Tests for `forebear.ingest.reading`: how a file is told, household by household."""

import tracemalloc
from pathlib import Path

import pytest

from forebear.ingest.formats import open_source
from forebear.ingest.mapping import parse_mapping
from forebear.ingest.reading import Reading

CENSUS = parse_mapping("""
[collection]
name = "census"
title = "Census"
record_type = "census"
[record]
id = "id"
group = "house"
[[persona]]
role = "person"
principal = true
name = "name"
""")


def read(tmp_path: Path, houses: list[str]) -> Reading:
    rows = [f"p{number},{house},Ann Green" for number, house in enumerate(houses, start=1)]
    path = tmp_path / "census.csv"
    path.write_text("\n".join(["id,house,name", *rows]) + "\n")
    return Reading(open_source(path, CENSUS))


@pytest.mark.parametrize(
    ("houses", "expected"),
    [
        (["a", "a", "b"], [["p1", "p2"], ["p3"]]),
        (["", "", "a"], [["p1"], ["p2"], ["p3"]]),
        (["a", "", "a", "b"], [["p2"], ["p4"], ["p1", "p3"]]),
        (["a", "b", "a", "b"], [["p1", "p3"], ["p2", "p4"]]),
    ],
)
def test_households_are_told_whole_and_those_that_stand_apart_at_the_end(
    tmp_path: Path, houses: list[str], expected: list[list[str]]
) -> None:
    groups = read(tmp_path, houses).groups()

    assert [[record.id for record in group] for group in groups] == expected


def test_a_large_table_of_households_is_never_whole_in_memory(tmp_path: Path) -> None:
    def peak(rows: int) -> int:
        reading = read(tmp_path, [str(number // 5) for number in range(rows)])
        tracemalloc.start()
        for _ in reading.groups():
            pass
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(500)  # fills what is kept of each distinct text

    # What grows is the list of ids, which tells ids that stand there twice.
    assert peak(4000) - peak(1000) < 3000 * 400
