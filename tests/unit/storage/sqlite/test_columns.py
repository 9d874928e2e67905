"""Tests for `forebear.storage.sqlite.columns`: which columns a search of an archive may use."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyroaring import BitMap

from forebear.archive import Archive, create_archive, open_archive
from forebear.storage.columns import ColumnsFile, Personas, Segment, run_sums
from forebear.storage.sqlite.backup import back_up, restore_backup
from forebear.storage.sqlite.columns import (
    ArchiveColumns,
    UsableColumns,
    columns_faults,
    find_personas,
    read_personas,
)
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.migrate import open_file
from forebear.storage.sqlite.storage import SqliteStorage
from forebear.storage.sqlite.upkeep import check_file

TABLES = ("marriages", "baptisms", "burials")


@pytest.fixture
def path(tmp_path: Path, repository: Path) -> Path:
    """Return an archive of two tables, of which columns were written."""
    path = tmp_path / "archive.forebear"
    with create_archive(path) as archive:
        for table in TABLES[:2]:
            import_table(archive, repository, table)
    with columns_of(path) as columns:
        columns.extend()
    return path


@contextmanager
def columns_of(path: Path) -> Iterator[ArchiveColumns]:
    """Open an archive and give its columns."""
    connection = open_file(path)
    yield ArchiveColumns(connection, min_new=1)
    connection.close()


def import_table(archive: Archive, repository: Path, table: str) -> None:
    file = repository / "demo" / "records" / table
    archive.import_file(f"{file}.csv", mapping=f"{file}.toml")


def usable(connection: Connection) -> UsableColumns | None:
    with connection.snapshot():
        return ArchiveColumns(connection).current()


def stored(connection: Connection) -> list[int]:
    return [number for (number,) in connection.rows("SELECT id FROM personas ORDER BY id")]


def from_columns(connection: Connection) -> list[int]:
    """Return the numbers of the personas that are read from columns."""
    columns = usable(connection)
    assert columns is not None
    numbers = np.setdiff1d(np.array(stored(connection)), columns.outdated)
    read, _ = columns.file.read(columns.segments, numbers, run_sums, gather=True)
    return read.numbers.tolist()


def assert_same(connection: Connection) -> None:
    """Personas read with the columns are those of the rows."""
    numbers = BitMap(stored(connection))
    with connection.snapshot():
        columns = ArchiveColumns(connection).current()
        read = find_personas(connection, columns, numbers)
    rows = read_personas(connection, numbers)
    for name in ("numbers", "records", "positions", "ties", "counts", "terms"):
        assert getattr(read, name).tolist() == getattr(rows, name).tolist(), name


@pytest.fixture
def connection(path: Path) -> Iterator[Connection]:
    connection = open_file(path)
    yield connection
    connection.close()


def answers(path: Path) -> list[Any]:
    with open_archive(path) as archive:
        results = [
            archive.search(surname=surname, log=False, viewer=viewer)
            for surname in ("Smith", "Brown", "Green", "Clarke")
            for viewer in ("owner", "public")
        ]
        return [[hit.to_dict() for hit in result] for result in results]


def columns_file(path: Path) -> Path:
    return path.with_name(path.name + "-columns")


def test_all_personas_are_read_from_columns(path: Path, connection: Connection) -> None:
    assert from_columns(connection) == stored(connection) != []
    assert_same(connection)
    assert columns_file(path).stat().st_mode & 0o777 == 0o600


def test_searches_are_the_same_without_the_file(path: Path) -> None:
    expected = answers(path)
    columns_file(path).unlink()

    assert answers(path) == expected
    assert any(expected)


def test_new_personas_are_appended(path: Path, connection: Connection, repository: Path) -> None:
    before = stored(connection)
    with open_archive(path) as archive:
        import_table(archive, repository, "burials")
    assert from_columns(connection) == before
    assert_same(connection)

    with columns_of(path) as columns:
        columns.extend()

    assert from_columns(connection) == stored(connection)
    assert_same(connection)


def test_a_changed_persona_is_outdated_and_so_is_its_number_when_used_again(
    path: Path, connection: Connection, repository: Path
) -> None:
    last_keys = connection.rows("SELECT key FROM records ORDER BY id DESC LIMIT 3")
    with open_archive(path) as archive:
        archive.storage.delete([key for (key,) in last_keys])
        import_table(archive, repository, "burials")

    (last,) = max(connection.rows("SELECT id FROM personas"))
    columns = usable(connection)
    assert columns is not None
    assert set(columns.outdated.tolist()) & set(stored(connection))
    assert last > max(from_columns(connection))
    assert_same(connection)


def test_an_older_snapshot_reads_what_it_read_before(
    path: Path, connection: Connection, repository: Path
) -> None:
    columns = ArchiveColumns(connection, min_new=1)
    with connection.snapshot():
        numbers = BitMap(stored(connection))
        before = find_personas(connection, columns.current(), numbers)
        with open_archive(path) as archive:
            archive.delete_collection("marriages")
            import_table(archive, repository, "burials")
        with columns_of(path) as others:
            others.extend()
            others.extend(again=True)
        after = find_personas(connection, columns.current(), numbers)
        fresh = ArchiveColumns(connection).current()

    assert after.terms.tolist() == before.terms.tolist()
    assert after.records.tolist() == before.records.tolist()
    assert fresh is None  # the file on the disk is of another moment
    assert from_columns(connection) == stored(connection)


def test_a_transaction_uses_no_columns(connection: Connection) -> None:
    with connection.transaction():
        assert ArchiveColumns(connection).current() is None


def test_erased_words_leave_the_columns(path: Path, connection: Connection) -> None:
    (key, record) = connection.rows("SELECT key, id FROM records ORDER BY id")[5]
    numbers = [n for (n,) in connection.rows("SELECT id FROM personas WHERE record = ?", (record,))]
    columns = usable(connection)
    assert columns is not None
    before, _ = columns.file.read(columns.segments, np.array(numbers), run_sums, gather=True)
    with open_archive(path) as archive:
        archive.erase(key)

    file = ColumnsFile(columns_file(path))

    _, covered = file.read(columns.segments, np.array(numbers), run_sums, gather=True)
    assert not covered.any()
    assert all(
        before.terms[first : first + count].tobytes() not in columns_file(path).read_bytes()
        for first, count in zip(before.firsts.tolist(), before.counts.tolist(), strict=True)
    )
    assert_same(connection)


def test_a_takedown_makes_its_personas_outdated(path: Path, connection: Connection) -> None:
    ((key,),) = connection.rows("SELECT key FROM records ORDER BY id LIMIT 1")
    with open_archive(path) as archive:
        archive.takedown(key)

    columns = usable(connection)
    assert columns is not None
    assert len(columns.outdated) > 0
    assert_same(connection)


def test_the_file_is_written_again_when_much_is_outdated(
    path: Path, connection: Connection
) -> None:
    before = usable(connection)
    with open_archive(path) as archive:
        archive.delete_collection("baptisms")
    with columns_of(path) as columns:
        columns.extend()

    after = usable(connection)

    assert before is not None
    assert after is not None
    assert after.file.token != before.file.token
    assert len(after.outdated) == 0
    assert from_columns(connection) == stored(connection)


def test_a_restored_backup_uses_no_columns_of_another_moment(
    path: Path, connection: Connection, tmp_path: Path, repository: Path
) -> None:
    back_up(connection, tmp_path / "backup")
    with open_archive(path) as archive:
        archive.delete_collection("baptisms")
        import_table(archive, repository, "burials")
    with columns_of(path) as columns:
        columns.extend()

    restore_backup(tmp_path / "backup", path)

    assert usable(connection) is None
    assert_same(connection)


def test_a_file_of_another_archive_is_not_used(path: Path, tmp_path: Path) -> None:
    expected = answers(path)
    other = tmp_path / "other.forebear"
    create_archive(other).close()
    columns_file(path).rename(columns_file(other))

    with columns_of(other) as columns:
        assert columns.current() is None
    assert answers(path) == expected


@pytest.mark.parametrize("size", [0, 10, 32, 500])
def test_a_file_that_was_cut_off_is_not_used(path: Path, size: int) -> None:
    expected = answers(path)
    columns_file(path).write_bytes(columns_file(path).read_bytes()[:size])

    assert answers(path) == expected


def test_compaction_and_a_new_index_write_the_file_again(path: Path) -> None:
    """An archive of so few personas has no file then."""
    for change in (Archive.compact, Archive.reindex):
        with open_archive(path) as archive:
            change(archive)
        with columns_of(path) as columns:
            assert columns.current() is None
            columns.extend()
            assert columns.current() is not None


def test_an_import_writes_columns_once_there_are_enough(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "new.forebear"
    with create_archive(path) as archive:
        import_table(archive, repository, "marriages")
        assert not columns_file(path).exists()
        storage = archive.storage
        assert isinstance(storage, SqliteStorage)
        columns = ArchiveColumns(storage._connection, min_new=1)
        monkeypatch.setattr(storage, "_columns", columns)
        import_table(archive, repository, "burials")

    connection = open_file(path)
    assert from_columns(connection) == stored(connection)
    connection.close()


@pytest.fixture
def appending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Archive]:
    """Return an archive whose columns are written only with what is inserted."""
    with create_archive(tmp_path / "new.forebear") as archive:
        storage = archive.storage
        assert isinstance(storage, SqliteStorage)
        storage._columns = ArchiveColumns(storage._connection, min_new=1)
        monkeypatch.setattr(storage._columns, "extend", lambda: None)
        yield archive


def test_what_an_import_inserts_is_in_the_columns_at_once(
    appending: Archive, repository: Path
) -> None:
    for table in ("marriages", "burials"):
        import_table(appending, repository, table)

    connection = connection_of(appending)
    assert from_columns(connection) == stored(connection)
    assert len(segments(connection)) == 2
    assert_same(connection)
    assert not list(columns_faults(connection))


def test_personas_that_the_columns_lack_come_before_those_that_are_inserted(
    appending: Archive, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(ArchiveColumns, "append", lambda *_: None)
        import_table(appending, repository, "marriages")
    assert usable(connection_of(appending)) is None

    import_table(appending, repository, "burials")

    connection = connection_of(appending)
    assert from_columns(connection) == stored(connection)
    assert len(segments(connection)) == 1
    assert not list(columns_faults(connection))


def test_columns_of_a_transaction_that_is_taken_back_do_not_count(
    appending: Archive, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_table(appending, repository, "marriages")
    connection = connection_of(appending)
    before = segments(connection)

    append = ArchiveColumns.append

    def fail(columns: ArchiveColumns, personas: Personas) -> None:
        append(columns, personas)
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(ArchiveColumns, "append", fail)
        with pytest.raises(RuntimeError):
            import_table(appending, repository, "burials")
    assert segments(connection) == before
    assert not list(columns_faults(connection))

    # An import that goes on compares its records, and its columns are written at its end.
    import_table(appending, repository, "burials")
    ArchiveColumns(connection, min_new=1).extend()
    assert from_columns(connection) == stored(connection)
    assert not list(columns_faults(connection))


def test_an_import_does_not_fail_with_its_columns(
    appending: Archive, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError

    with monkeypatch.context() as patch:
        patch.setattr("forebear.storage.sqlite.columns.append_segment", fail)
        import_table(appending, repository, "marriages")
    assert usable(connection_of(appending)) is None
    import_table(appending, repository, "burials")

    connection = connection_of(appending)
    assert from_columns(connection) == stored(connection)


def connection_of(archive: Archive) -> Connection:
    storage = archive.storage
    assert isinstance(storage, SqliteStorage)
    return storage._connection


def segments(connection: Connection) -> Sequence[Segment]:
    columns = usable(connection)
    return columns.segments if columns else ()


def test_an_archive_is_deleted_with_its_columns(path: Path) -> None:
    with open_archive(path) as archive:
        archive.delete()

    assert not list(path.parent.glob(path.name + "*"))


def test_a_check_compares_the_columns_with_the_personas(path: Path, connection: Connection) -> None:
    assert check_file(connection).faults == ()

    columns = bytearray(columns_file(path).read_bytes())
    columns[40] ^= 1
    columns_file(path).write_bytes(columns)
    connection.execute("DELETE FROM outdated")

    assert check_file(connection).faults == ("the columns of persona 1 are not what was written",)


def test_a_check_notices_columns_that_were_not_marked_as_outdated(
    path: Path, connection: Connection
) -> None:
    """What a fault of the program would leave."""
    (tie,) = connection.rows("SELECT tie FROM personas WHERE id = 9")[0]
    connection.execute("UPDATE personas SET tie = ? WHERE id = 9", (tie + 1,))
    connection.execute(
        "UPDATE personas SET checksum = personas_checksum(id, record, position, tie, masked, terms)"
    )
    connection.execute("DELETE FROM outdated")

    assert check_file(connection).faults == ("the columns are not those of the personas",)


def test_a_failure_to_write_is_only_a_warning(
    path: Path, repository: Path, caplog: pytest.LogCaptureFixture
) -> None:
    columns_file(path).unlink()
    columns_file(path).mkdir()  # nothing can be renamed to it

    with columns_of(path) as columns:
        columns.extend(again=False)

    assert "was not written" in caplog.text
