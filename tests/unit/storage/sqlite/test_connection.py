"""Tests for `forebear.storage.sqlite.connection`."""

import gc
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from forebear.errors import ArchiveError, StorageError
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.migrate import open_file
from forebear.storage.sqlite.schema import create_file


def test_a_file_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.executescript("CREATE TABLE t (x); VACUUM;")

    with pytest.raises(ArchiveError, match="is not a Forebear archive"):
        open_file(path)


def test_an_archive_of_a_newer_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "archive.forebear"
    connection = create_file(path)
    connection.execute("PRAGMA user_version = 999")
    connection.close()

    with pytest.raises(ArchiveError, match="format version 999") as error:
        open_file(path)

    assert "newer forebear" in str(error.value.hint)


def test_a_transaction_happens_whole_or_not_at_all(tmp_path: Path) -> None:
    connection = create_file(tmp_path / "archive.forebear")

    def fail_halfway() -> None:
        with connection.transaction():
            connection.execute("INSERT INTO terms (term) VALUES ('a=b')")
            raise KeyError

    with pytest.raises(KeyError):
        fail_halfway()

    assert connection.rows("SELECT * FROM terms") == []
    connection.close()


def test_a_commit_that_fails_ends_the_transaction(tmp_path: Path) -> None:
    connection = create_file(tmp_path / "archive.forebear")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(
        "CREATE TABLE orphans (parent REFERENCES terms (id) DEFERRABLE INITIALLY DEFERRED)"
    )

    with pytest.raises(StorageError, match="FOREIGN KEY"), connection.transaction():
        connection.execute("INSERT INTO orphans VALUES (77)")
    with connection.transaction():
        connection.execute("INSERT INTO terms (term) VALUES ('a=b')")

    assert connection.rows("SELECT term FROM terms") == [("a=b",)]
    assert connection.rows("SELECT * FROM orphans") == []
    connection.close()


def test_a_file_that_cannot_be_opened_leaves_no_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "archive.forebear"
    path.write_bytes(b"no database" * 100)

    with pytest.raises(ArchiveError, match="cannot open"):
        Connection(path).rows("SELECT 1")

    gc.collect()  # an unclosed connection is a warning here, and warnings are errors


def test_patience_is_limited_with_other_connections_and_other_threads(tmp_path: Path) -> None:
    mine = create_file(tmp_path / "archive.forebear")
    other = open_file(tmp_path / "archive.forebear")
    statement = "INSERT INTO terms (term) VALUES ('a=b')"

    started = time.monotonic()
    with (
        other.transaction(),
        pytest.raises(ArchiveError, match="locked"),
        mine.patience(0.1),
        mine.transaction(),
    ):
        mine.execute(statement)
    refused: list[ArchiveError] = []

    def wait_in_a_thread() -> None:
        try:
            with mine.patience(0.1):
                mine.execute(statement)
        except ArchiveError as error:
            refused.append(error)

    with mine.transaction():
        thread = threading.Thread(target=wait_in_a_thread)
        thread.start()
        thread.join()

    assert time.monotonic() - started < 5
    assert len(refused) == 1
    with mine.patience(0.1):
        mine.execute(statement)
    assert mine.rows("SELECT term FROM terms") == [("a=b",)]
    mine.close()
    other.close()


def test_the_errors_of_sqlite_become_ours(tmp_path: Path) -> None:
    connection = create_file(tmp_path / "archive.forebear")

    with pytest.raises(StorageError, match="no such table"):
        connection.rows("SELECT * FROM nowhere")

    connection.close()


def test_a_query_may_ask_for_any_number_of_values(tmp_path: Path) -> None:
    connection = create_file(tmp_path / "archive.forebear")
    connection.execute_many("INSERT INTO terms (term) VALUES (?)", [(f"t={i}",) for i in range(9)])

    values = [f"t={i}" for i in range(12_000)]

    assert len(list(connection.rows_in("SELECT id FROM terms WHERE term IN", values))) == 9
    connection.close()
