"""Tests for `forebear.ingest.ahead`: a large file is read by another process."""

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from forebear.errors import ForebearError, InputError
from forebear.ingest import ahead, reader_process, shared_reading
from forebear.ingest.ahead import Ended, Job, ReadingAhead, Ready, is_worthwhile, receive
from forebear.ingest.formats import open_source
from forebear.ingest.mapping import Mapping, parse_mapping
from forebear.ingest.report import Progress
from forebear.ingest.run import import_file
from forebear.ingest.shared_reading import share_of
from forebear.records.privacy import Viewer
from forebear.storage.sqlite.connection import create_file
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
# An id is in both shares.
ALONE = structs.replace(BURIALS, record=structs.replace(BURIALS.record, group=()))
OWNER = Viewer(year=2026, is_owner=True)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rows = ["id,grave,date,place,given,surname,age"]
    for number in range(300):
        rows.append(
            f"b{number},g{number // 3},{number % 28 + 1} May 1850,Layham,Ann,Green,{number % 90}"
        )
    rows[40] = "b39,g13,someday,Layham,Ann,Green,x"
    rows[50] = "b49,g16,1 May 1850,Layham,,,3"
    rows[60] = rows[10]
    path = tmp_path / "burials.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def put_together(table: Path) -> None:
    """Take out the row that stands apart from its grave."""
    lines = table.read_text().splitlines()
    table.write_text("\n".join([*lines[:60], *lines[61:]]))


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[SqliteStorage]:
    connection = create_file(tmp_path / "archive.forebear")
    yield SqliteStorage(connection)
    connection.close()


@pytest.fixture(autouse=True)
def new_process() -> Iterator[None]:
    reader_process.end_idle()
    yield
    reader_process.end_idle()


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "WORTHWHILE_BYTES", 0)


def job(path: Path, storage: SqliteStorage, mapping: Mapping = BURIALS) -> Job:
    storage.put_collection(mapping.to_collection())
    return Job(path=path, mapping=mapping, ids={}, encode=storage.encoder())


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("stored", [1, 60, 60_000])
@pytest.mark.parametrize("block", [1, 4, 10, 25, 300])
def test_what_two_processes_read_is_what_would_be_read_here(
    block: int, stored: int, table: Path, storage: SqliteStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_reading, "BLOCK_PERSONAS", block)
    monkeypatch.setattr(shared_reading, "ROW_BYTES", 1)  # it is not so small as to be cut finer
    monkeypatch.setattr(ahead, "STORED_PERSONAS", stored)
    report = import_file(table, BURIALS, storage)
    monkeypatch.setattr(ahead, "WORTHWHILE_BYTES", 1 << 30)
    connection = create_file(table.with_name("other.forebear"))
    expected = import_file(table, BURIALS, SqliteStorage(connection))

    assert (report.read, report.kept, report.personas) == (300, 298, 298)
    assert report.tally == expected.tally
    assert report.warnings == expected.warnings
    assert report.refusals == expected.refusals
    stored = list(SqliteStorage(storage._connection).groups())
    assert stored == list(SqliteStorage(connection).groups())
    assert check_file(storage._connection).faults == ()
    connection.close()


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("block", [1, 4, 10, 25, 300])
@pytest.mark.parametrize("mapping", [BURIALS, ALONE])
def test_what_two_processes_share_is_what_would_be_read_here(
    mapping: Mapping,
    block: int,
    table: Path,
    storage: SqliteStorage,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if mapping is BURIALS:
        put_together(table)
    monkeypatch.setattr(shared_reading, "BLOCK_PERSONAS", block)
    monkeypatch.setattr(shared_reading, "ROW_BYTES", 1)
    monkeypatch.setattr(ahead, "STORED_PERSONAS", 60)
    assert share_of(open_source(table, mapping), mapping) is not None
    report = import_file(table, mapping, storage)
    monkeypatch.setattr(ahead, "WORTHWHILE_BYTES", 1 << 30)
    connection = create_file(table.with_name("other.forebear"))
    expected = import_file(table, mapping, SqliteStorage(connection))

    assert replace(report, seconds=0) == replace(expected, seconds=0)
    assert digest_file(storage._connection) == digest_file(connection)
    assert check_file(storage._connection).faults == ()
    connection.close()


def test_both_processes_have_a_share_of_a_small_table(table: Path) -> None:
    put_together(table)
    share = share_of(open_source(table, BURIALS), BURIALS)

    assert share is not None
    assert {share.has(line) for line in range(2, 302)} == {True, False}


@pytest.mark.usefixtures("eager")
def test_a_table_with_households_apart_is_read_by_one_process(
    table: Path, storage: SqliteStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_reading, "BLOCK_PERSONAS", 10)
    lines = table.read_text().splitlines()
    table.write_text("\n".join([*lines, lines[1].replace("b0,", "late,")]))

    report = import_file(table, BURIALS, storage)

    assert report.kept == 299
    household = group_of(storage, "burials:late", viewer=OWNER)
    assert [record.id for record in household] == ["b0", "b1", "b2", "late"]


@pytest.mark.usefixtures("eager")
def test_a_corrected_file_is_a_difference_whoever_reads_it(
    table: Path, storage: SqliteStorage
) -> None:
    import_file(table, BURIALS, storage)
    lines = table.read_text().splitlines()
    table.write_text("\n".join([lines[0], lines[1].replace("Ann", "Anne"), *lines[2:-1]]))

    report = import_file(table, BURIALS, storage)

    assert (report.tally.added, report.tally.changed, report.tally.gone) == (0, 1, 1)
    record = get(storage, "burials:b0", viewer=OWNER)
    assert record is not None
    assert record.personas[0].names[0].given == "Anne"
    assert get(storage, "burials:b299", viewer=OWNER) is None


def test_progress_counts_what_is_written(table: Path, storage: SqliteStorage) -> None:
    told: list[Progress] = []
    reading = ReadingAhead(job(table, storage), progress=told.append)

    kept = sum(len(batch.keys) for together in reading.batches() for batch in together)

    assert told[-1].written == kept == reading.report().kept
    assert [row.issue.reason for row in reading.refused] == ["no name at all", "same id twice"]


def test_a_process_that_dies_is_told_as_an_error_with_the_way_on(
    table: Path, storage: SqliteStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []
    popen = reader_process.subprocess.Popen

    def start(*args: object, **options: object) -> object:
        process = popen(*args, **options)  # type: ignore[call-overload]
        os.kill(process.pid, signal.SIGKILL)
        started.append(process)
        return process

    monkeypatch.setattr(reader_process.subprocess, "Popen", start)

    with pytest.raises(ForebearError, match=r"burials.csv: the process .* \(status -9\)") as error:
        list(receive(job(table, storage)))

    assert "run the same import again" in str(error.value.hint)


def test_an_error_of_the_other_process_is_raised_here(table: Path, storage: SqliteStorage) -> None:
    told = job(table, storage)
    table.write_text("name\nAnn\n")

    with pytest.raises(InputError, match=r"burials\.csv:1: "):
        list(receive(told))


def test_who_stops_listening_leaves_no_process_behind(
    table: Path, storage: SqliteStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []
    popen = reader_process.subprocess.Popen

    def start(*args: object, **options: object) -> object:
        started.append(popen(*args, **options))  # type: ignore[call-overload]
        return started[-1]

    monkeypatch.setattr(reader_process.subprocess, "Popen", start)
    messages = receive(job(table, storage))

    first = next(messages)
    messages.close()

    assert isinstance(first, Ready)
    assert started[0].poll() is not None


def test_batches_end_with_what_came_of_the_file(table: Path, storage: SqliteStorage) -> None:
    *batches, end = receive(job(table, storage))

    assert all(isinstance(batch, Ready) for batch in batches)
    assert isinstance(end, Ended)


def test_the_next_file_is_read_by_the_same_process(table: Path, storage: SqliteStorage) -> None:
    first = [*receive(job(table, storage))]
    ((process, _),) = reader_process._idle

    second = [*receive(job(table, storage))]

    assert reader_process._idle[0][0] is process
    assert [message.batch.keys for message in second if isinstance(message, Ready)] == (
        [message.batch.keys for message in first if isinstance(message, Ready)]
    )


def test_a_process_that_died_waiting_is_replaced(table: Path, storage: SqliteStorage) -> None:
    list(receive(job(table, storage)))
    ((process, _),) = reader_process._idle
    process.kill()
    process.wait()

    *_, end = receive(job(table, storage))

    assert isinstance(end, Ended)


def test_a_process_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_process, "IDLE_SECONDS", 0.05)
    process = reader_process.take_process()
    reader_process.keep_process(process)

    assert process.wait(timeout=20) != 0
    assert not reader_process._idle


def test_a_small_file_is_not_worth_another_process(table: Path) -> None:
    assert not is_worthwhile(table, BURIALS)


def test_a_file_that_was_not_read_to_its_end_has_no_report(
    table: Path, storage: SqliteStorage
) -> None:
    with pytest.raises(ForebearError, match="not been read to its end"):
        ReadingAhead(job(table, storage)).report()
