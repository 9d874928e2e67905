"""Tests for `forebear.ingest.pipeline`: chunks are read by any number of processes, in order."""

import random
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from forebear.ingest import pipeline
from forebear.ingest.formats import open_source
from forebear.ingest.mapping import Mapping, parse_mapping
from forebear.ingest.pipeline import FileReader
from forebear.ingest.report import ImportReport, Progress
from forebear.ingest.run import import_file
from forebear.ingest.store import Group
from forebear.ingest.workers import Workers
from forebear.records.privacy import Viewer
from forebear.storage.memory import MemoryStorage
from forebear.storage.sqlite.schema import create_file
from forebear.storage.sqlite.storage import SqliteStorage
from forebear.storage.sqlite.upkeep import check_file, digest_file
from storages import get, group_of

BURIALS = parse_mapping("""
[collection]
name = "burials"
title = "Burials"
record_type = "burial"
[record]
id = "id"
group = "grave"
date = "date"
place = "place"
[[persona]]
role = "deceased"
kin = "self"
principal = true
given = "given"
surname = "surname"
age = "age"
""")
ALONE = structs.replace(BURIALS, record=structs.replace(BURIALS.record, group=()))
OWNER = Viewer(year=2026, is_owner=True)
ROWS = 300


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rows = ["id,grave,date,place,given,surname,age"]
    for number in range(ROWS):
        rows.append(
            f"b{number},g{number // 3},{number % 28 + 1} May 1850,Layham,Ann,Green,{number % 90}"
        )
    rows[40] = "b39,g13,someday,Layham,Ann,Green,x"
    rows[50] = "b49,g16,1 May 1850,Layham,,,3"
    rows[60] = rows[10]  # a repeated id, in a grave that stands apart
    rows[90] = "b89,g29,someday,Layham,Ann,Green,x"
    rows[270] = rows[90]  # a repeated id in a later chunk, with a warning
    path = tmp_path / "burials.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[SqliteStorage]:
    connection = create_file(tmp_path / "archive.forebear")
    yield SqliteStorage(connection)
    connection.close()


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let even a small table be encoded, in many small chunks."""
    monkeypatch.setattr(pipeline, "WORTHWHILE_BYTES", 0)
    monkeypatch.setattr(pipeline, "ROW_BYTES", 1)


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    started = Workers(2)
    yield started
    started.close()


def import_apart(table: Path, mapping: Mapping) -> tuple[ImportReport, list[Group]]:
    """Import a table into memory, which takes records as they are, and return what came of it."""
    storage = MemoryStorage()
    report = import_file(table, mapping, storage)
    return replace(report, seconds=0), [group for group, _ in storage.groups()]


def sorted_groups(groups: list[Group]) -> list[Group]:
    return sorted(groups, key=lambda group: group[0].key)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("stored", [1, 60, 60_000])
@pytest.mark.parametrize("size", [1, 4, 10, 25, 300])
@pytest.mark.parametrize("mapping", [BURIALS, ALONE], ids=["graves", "alone"])
def test_encoded_chunks_of_any_size_are_what_records_are(
    mapping: Mapping,
    size: int,
    stored: int,
    table: Path,
    storage: SqliteStorage,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected_report, expected = import_apart(table, mapping)
    monkeypatch.setattr(pipeline, "CHUNK_PERSONAS", size)
    monkeypatch.setattr(pipeline, "STORED_PERSONAS", stored)

    report = import_file(table, mapping, storage)

    assert (report.read, report.accepted, report.personas) == (300, 297, 297)
    assert replace(report, seconds=0) == expected_report
    stored_groups = [group for group, _ in storage.groups()]
    assert sorted_groups(stored_groups) == sorted_groups(expected)
    assert check_file(storage._connection).faults == ()


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("mapping", [BURIALS, ALONE], ids=["graves", "alone"])
def test_what_other_processes_read_is_what_would_be_read_here(
    mapping: Mapping,
    table: Path,
    storage: SqliteStorage,
    workers: Workers,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pipeline, "CHUNK_PERSONAS", 10)
    monkeypatch.setattr(pipeline, "STORED_PERSONAS", 60)
    report = import_file(table, mapping, storage, workers=workers)
    connection = create_file(table.with_name("other.forebear"))
    expected = import_file(table, mapping, SqliteStorage(connection))

    assert replace(report, seconds=0) == replace(expected, seconds=0)
    assert [group for group, _ in storage.groups()] == (
        [group for group, _ in SqliteStorage(connection).groups()]
    )
    assert digest_file(storage._connection) == digest_file(connection)
    connection.close()


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("seed", range(6))
def test_shuffled_tables_with_repeated_ids_are_read_in_their_order(
    seed: int,
    table: Path,
    storage: SqliteStorage,
    workers: Workers,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heading, *rows = table.read_text().splitlines()
    rng = random.Random(seed)
    rows = rng.choices(rows, k=80) if seed % 2 else rng.sample(rows, 80)
    table.write_text("\n".join([heading, *rows]) + "\n")
    expected_report, expected = import_apart(table, BURIALS)
    monkeypatch.setattr(pipeline, "CHUNK_PERSONAS", 1 + seed)

    report = import_file(table, BURIALS, storage, workers=workers)

    assert replace(report, seconds=0) == expected_report
    stored_groups = [group for group, _ in storage.groups()]
    assert sorted_groups(stored_groups) == sorted_groups(expected)


@pytest.mark.usefixtures("eager")
def test_a_household_that_stands_apart_is_one(
    table: Path, storage: SqliteStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "CHUNK_PERSONAS", 10)
    lines = table.read_text().splitlines()
    table.write_text("\n".join([*lines, lines[1].replace("b0,", "late,")]))

    import_file(table, BURIALS, storage)

    household = group_of(storage, "burials:late", viewer=OWNER)
    assert [record.id for record in household] == ["b0", "b1", "b2", "late"]


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("has_workers", [False, True])
def test_a_corrected_file_is_a_difference_whoever_reads_it(
    has_workers: bool, table: Path, storage: SqliteStorage, workers: Workers
) -> None:
    chosen = workers if has_workers else None
    import_file(table, BURIALS, storage, workers=chosen)
    lines = table.read_text().splitlines()
    table.write_text("\n".join([lines[0], lines[1].replace("Ann", "Anne"), *lines[2:-1]]))

    report = import_file(table, BURIALS, storage, workers=chosen)

    assert (report.counts.added, report.counts.changed, report.counts.removed) == (0, 1, 1)
    record = get(storage, "burials:b0", viewer=OWNER)
    assert record is not None
    assert record.personas[0].names[0].given == "Anne"
    assert get(storage, "burials:b299", viewer=OWNER) is None


@pytest.mark.usefixtures("eager")
def test_progress_rises_to_the_end(
    table: Path, storage: SqliteStorage, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "CHUNK_PERSONAS", 30)
    steps: list[Progress] = []

    import_file(table, BURIALS, storage, progress=steps.append, workers=workers)

    assert [step.share for step in steps] == sorted(step.share for step in steps)
    assert (steps[-1].rows_read, steps[-1].accepted, steps[-1].written) == (300, 297, 297)
    assert steps[-1].bytes_done == steps[-1].bytes_total == table.stat().st_size


def test_a_small_table_gives_work_to_all_processes(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "WORTHWHILE_BYTES", table.stat().st_size)
    storage = MemoryStorage()
    storage.put_collection(BURIALS.to_collection())
    source = open_source(table, BURIALS)

    reading = FileReader(source, encode=lambda groups: _Groups([*groups]))

    assert len(list(reading._chunks())) >= pipeline.MIN_CHUNKS


class _Groups:
    """Groups that stand for their encoded form."""

    def __init__(self, groups: list[Group]) -> None:
        self._groups = groups
        self.keys = [record.key for group in groups for record in group]
        self.size = len(self.keys)

    def groups(self) -> list[Group]:
        return self._groups


def read(tmp_path: Path, houses: list[str]) -> FileReader:
    rows = [f"b{at},{house},,Layham,Ann,Green," for at, house in enumerate(houses, start=1)]
    path = tmp_path / "houses.csv"
    path.write_text("\n".join(["id,grave,date,place,given,surname,age", *rows]) + "\n")
    return FileReader(open_source(path, BURIALS))


@pytest.mark.parametrize("size", [1, 2, 1000])
@pytest.mark.parametrize(
    ("houses", "expected"),
    [
        (["a", "a", "b"], [["b1", "b2"], ["b3"]]),
        (["", "", "a"], [["b1"], ["b2"], ["b3"]]),
        (["a", "", "a", "b"], [["b2"], ["b4"], ["b1", "b3"]]),
        (["a", "b", "a", "b"], [["b1", "b3"], ["b2", "b4"]]),
    ],
)
def test_households_are_whole_and_those_that_stand_apart_come_last(
    size: int,
    tmp_path: Path,
    houses: list[str],
    expected: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pipeline, "CHUNK_ROWS", size)

    groups = [
        group
        for batch in read(tmp_path, houses).batches()
        for group in batch
        if isinstance(group, tuple)
    ]

    assert [[record.id for record in group] for group in groups] == expected


def test_a_large_table_of_households_is_never_whole_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "BATCH_RECORDS", 500)
    monkeypatch.setattr(pipeline, "CHUNK_ROWS", 500)

    def peak(rows: int) -> int:
        reading = read(tmp_path, [str(number // 5) for number in range(rows)])
        tracemalloc.start()
        for _ in reading.batches():
            pass
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(1000)  # fills the caches of distinct texts

    # What grows is the list of ids, which tells ids that are there twice.
    assert peak(4000) - peak(1000) < 3000 * 400
