"""Tests for `forebear.storage.sqlite.upkeep`, and for the copy of a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from forebear.archive import Archive
from forebear.errors import ArchiveError
from forebear.storage.sqlite.connection import Connection, create_file, open_file
from forebear.storage.sqlite.storage import SqliteStorage
from forebear.storage.sqlite.upkeep import check_file, compact_file, digest_file


@pytest.fixture
def connection(tmp_path: Path, repository: Path) -> Iterator[Connection]:
    connection = create_file(tmp_path / "archive.forebear")
    shelf = repository / "demo" / "records" / "marriages"
    Archive(connection, SqliteStorage(connection)).import_file(
        shelf.with_suffix(".csv"), mapping=f"{shelf}.toml"
    )
    yield connection
    connection.close()


def test_a_sound_archive_has_no_faults(connection: Connection) -> None:
    report = check_file(connection)

    assert report.faults == ()
    assert report.records == 85
    assert report.personas > 300


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("UPDATE personas SET terms = x'' WHERE id = 7", "has other terms"),
        ("DELETE FROM personas WHERE id = 7", "has other terms"),
        ("DELETE FROM postings WHERE term = 3", "the postings of"),
        ("UPDATE record_groups SET public_year = 1 WHERE id = 2", "'public="),
        ("UPDATE record_groups SET public_year = 1 WHERE id = 2", "first public year is not 1"),
        ("DELETE FROM records WHERE id = 2", "group 2 has no records"),
    ],
)
def test_damage_is_found(connection: Connection, damage: str, told: str) -> None:
    connection.execute(damage)

    report = check_file(connection)

    assert any(told in fault for fault in report.faults)


def test_a_copy_is_an_archive_of_its_own(connection: Connection, tmp_path: Path) -> None:
    copy = tmp_path / "copy.forebear"

    connection.copy_to(copy)

    opened = open_file(copy)
    assert check_file(opened) == check_file(connection)
    opened.close()
    with pytest.raises(ArchiveError, match="is there already"):
        connection.copy_to(copy)


def test_compacting_gives_space_back_and_changes_nothing(connection: Connection) -> None:
    Archive(connection, SqliteStorage(connection)).delete_collection("marriages")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = connection.path.stat().st_size

    compact_file(connection)

    assert connection.path.stat().st_size < before
    assert check_file(connection).faults == ()


def test_the_digest_and_a_reimport_do_not_depend_on_how_json_was_written(
    connection: Connection, repository: Path
) -> None:
    before = digest_file(connection)
    # As the version before wrote it.
    connection.execute("""UPDATE records SET value = replace(replace(value,
        '"precision":', '"qualifier":"exact","precision":'),
        '"surname":', '"kind":"birth","surname":')
        WHERE instr(value, '"kind":"married"') = 0 AND instr(value, 'qualifier') = 0""")
    assert connection.rows("SELECT changes()")[0][0] > 50

    shelf = repository / "demo" / "records" / "marriages"
    again = Archive(connection, SqliteStorage(connection)).import_file(
        shelf.with_suffix(".csv"), mapping=f"{shelf}.toml", dry_run=True
    )

    assert digest_file(connection) == before
    assert (again.tally.unchanged, again.tally.moved) == (85, 0)
