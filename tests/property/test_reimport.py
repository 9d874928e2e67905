"""Whatever file was there before, an archive ends up as its corrected file has it."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from forebear.ingest.mapping import Mapping, parse_mapping
from forebear.ingest.report import ImportReport
from forebear.ingest.run import import_file
from forebear.ingest.store import SourceFile
from forebear.records.record import Record
from forebear.storage.memory import MemoryStorage
from forebear.storage.sqlite.schema import create_file
from forebear.storage.sqlite.storage import SqliteStorage
from forebear.storage.sqlite.upkeep import check_file

Storage = MemoryStorage | SqliteStorage

MAPPING = """
[collection]
name = "census"
title = "Census"
record_type = "census"
[record]
id = "id"
group = "household"
[[persona]]
role = "person"
principal = true
given = "given"
surname = "surname"
"""
NAMED = parse_mapping(MAPPING)
UNNAMED = parse_mapping(MAPPING.replace('id = "id"\n', ""))
FILE = SourceFile(collection="census", name="census.csv")

Row = tuple[int, str, str]
rows = st.tuples(
    st.integers(1, 6), st.sampled_from(["h1", "h2", ""]), st.sampled_from(["Ann", "Job", "Eve"])
)
named_tables = st.lists(rows, max_size=6, unique_by=lambda row: row[0])
tables = st.lists(rows, max_size=6)


def bring_in(storage: Storage, folder: Path, mapping: Mapping, table: list[Row]) -> ImportReport:
    path = folder / "census.csv"
    lines = [f"{number},{household},{given},Green" for number, household, given in table]
    path.write_text("\n".join(["id,household,given,surname", *lines]) + "\n", encoding="utf-8")
    return import_file(path, mapping, storage, may_replace=True)


def groups_of(storage: Storage) -> set[frozenset[Record]]:
    return {frozenset(group) for group in storage.groups_holding(storage.keys_from(FILE))}


def brought_in(*files: list[Row], mapping: Mapping) -> MemoryStorage:
    storage = MemoryStorage()
    with TemporaryDirectory() as folder:
        for table in files:
            bring_in(storage, Path(folder), mapping, table)
    return storage


@settings(deadline=None)
@given(named_tables, named_tables)
def test_what_was_there_before_leaves_no_trace(before: list[Row], after: list[Row]) -> None:
    again = brought_in(before, after, mapping=NAMED)
    fresh = brought_in(after, mapping=NAMED)

    assert groups_of(again) == groups_of(fresh)
    assert again._personas == fresh._personas


@settings(deadline=None)
@given(tables, tables)
def test_rows_without_an_id_are_all_there_and_no_others(
    before: list[Row], after: list[Row]
) -> None:
    again = brought_in(before, after, mapping=UNNAMED)

    counts = Counter(record.row for group in groups_of(again) for record in group)
    assert counts == Counter(
        (("id", str(number)), ("household", household), ("given", given), ("surname", "Green"))
        for number, household, given in after
    )


@settings(deadline=None)
@given(tables, tables)
def test_a_file_that_comes_back_unchanged_changes_nothing(
    before: list[Row], after: list[Row]
) -> None:
    storage = brought_in(before, after, mapping=UNNAMED)
    stored = groups_of(storage)

    with TemporaryDirectory() as folder:
        report = bring_in(storage, Path(folder), UNNAMED, after)

    assert report.counts.changes_nothing
    assert groups_of(storage) == stored


@settings(max_examples=15, deadline=None)
@given(tables, tables)
def test_sqlite_does_what_memory_does(before: list[Row], after: list[Row]) -> None:
    memory = brought_in(before, after, mapping=UNNAMED)
    with TemporaryDirectory() as folder:
        connection = create_file(Path(folder) / "archive.forebear")
        storage = SqliteStorage(connection)
        for table in (before, after):
            bring_in(storage, Path(folder), UNNAMED, table)

        assert groups_of(storage) == groups_of(memory)
        assert check_file(connection).faults == ()
        connection.close()
