"""Tests for `forebear.storage.sqlite.connection`."""

import sqlite3
from pathlib import Path

import pytest

from forebear.errors import ArchiveError, StorageError
from forebear.storage.sqlite.connection import create_file, open_file


def test_a_file_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    sqlite3.connect(path).executescript("CREATE TABLE t (x); VACUUM;").close()

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
