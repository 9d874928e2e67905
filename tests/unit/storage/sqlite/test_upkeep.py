"""Tests for `forebear.storage.sqlite.upkeep`, and for the copy of a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from forebear.archive import create_archive, open_archive
from forebear.errors import ArchiveError
from forebear.search.terms.term import TERM_RULES_VERSION
from forebear.storage.sqlite.backup import back_up
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.migrate import open_file
from forebear.storage.sqlite.storage import SqliteStorage
from forebear.storage.sqlite.upkeep import check_file, compact_file, digest_file

# What a fault of the program would leave: wrong values that were written as they are.
REWRITE = (
    "UPDATE personas SET checksum = personas_checksum(id, record, position, tie, masked, terms);"
    "UPDATE record_groups SET checksum = record_groups_checksum(id, public_year, full_year, file);"
    "UPDATE records SET checksum = records_checksum"
    "(id, key, collection, record_group, headings, value, position, public_year)"
)


@pytest.fixture
def connection(tmp_path: Path, repository: Path) -> Iterator[Connection]:
    table = repository / "demo" / "records" / "marriages"
    with create_archive(tmp_path / "archive.forebear") as archive:
        archive.import_file(f"{table}.csv", mapping=f"{table}.toml")
    connection = open_file(tmp_path / "archive.forebear")
    yield connection
    connection.close()


def test_a_sound_archive_has_no_faults(connection: Connection) -> None:
    report = check_file(connection)

    assert report.faults == ()
    assert report.records == 85
    assert report.personas > 300


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (
            "UPDATE personas SET terms = x'' WHERE id = 7",
            "row 7 of personas is not what was written",
        ),
        (f"UPDATE personas SET terms = x'' WHERE id = 7; {REWRITE}", "has other terms"),
        ("UPDATE terms SET term = 'a=b' WHERE id = 7", "row 7 of terms is not"),
        ("UPDATE postings SET personas = x'00' WHERE term = 7", "row 7 of postings is not"),
        ("UPDATE records SET value = '{}' WHERE id = 7", "row 7 of records is not"),
        ("UPDATE records SET key = 'a:b' WHERE id = 7", "row 7 of records is not"),
        ("UPDATE checksums SET checksum = 0 WHERE name = 'headings'", "a row of headings is not"),
        ("DELETE FROM checksums WHERE name = 'collections'", "a row of collections is not"),
        ("DELETE FROM personas WHERE id = 7", "has other terms"),
        ("DELETE FROM postings WHERE term = 3", "the postings of"),
        ("UPDATE record_groups SET public_year = 1 WHERE id = 2", "row 2 of record_groups is not"),
        ("UPDATE record_groups SET full_year = 1 WHERE id = 2", "row 2 of record_groups is not"),
        (f"UPDATE record_groups SET full_year = 1 WHERE id = 2; {REWRITE}", "'public="),
        (
            f"UPDATE record_groups SET public_year = 1 WHERE id = 2; {REWRITE}",
            "first public year is not 1",
        ),
        ("DELETE FROM records WHERE id = 2", "group 2 has no records"),
    ],
)
def test_damage_is_found(connection: Connection, damage: str, message: str) -> None:
    for statement in damage.split(";"):
        connection.execute(statement)

    report = check_file(connection)

    assert any(message in fault for fault in report.faults)


def test_older_terms_are_no_fault_and_are_rewritten(connection: Connection) -> None:
    before = digest_file(connection)
    connection.execute("UPDATE metadata SET value = '0' WHERE name = 'terms'")
    connection.execute("UPDATE personas SET terms = x'' WHERE id = 7")
    storage = SqliteStorage(connection)
    steps: list[tuple[int, int]] = []

    assert not any("other terms" in fault for fault in check_file(connection).faults)
    assert storage.terms_version() == 0
    storage.reindex(lambda done, total: steps.append((done, total)))

    assert storage.terms_version() == TERM_RULES_VERSION
    assert steps[-1] == (85, 85)
    assert check_file(connection).faults == ()
    assert digest_file(connection) == before


def test_terms_keep_their_numbers_for_programs_that_remember_them(connection: Connection) -> None:
    before = connection.rows("SELECT id, term FROM terms")

    SqliteStorage(connection).reindex(lambda *_: None)

    assert connection.rows("SELECT id, term FROM terms") == before


def test_a_reindex_that_is_interrupted_leaves_the_archive_as_it_was(
    connection: Connection,
) -> None:
    before = digest_file(connection)
    connection.execute("UPDATE metadata SET value = '0' WHERE name = 'terms'")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    storage = SqliteStorage(connection)
    with pytest.raises(KeyboardInterrupt):
        storage.reindex(interrupt)

    assert storage.terms_version() == 0
    assert digest_file(connection) == before


def test_a_copy_is_an_archive_of_its_own(connection: Connection, tmp_path: Path) -> None:
    copy = tmp_path / "copy.forebear"

    back_up(connection, copy)

    opened = open_file(copy)
    assert check_file(opened) == check_file(connection)
    opened.close()
    with pytest.raises(ArchiveError, match="is there already"):
        back_up(connection, copy)


def test_compacting_gives_space_back_and_changes_nothing(connection: Connection) -> None:
    SqliteStorage(connection).delete_collection("marriages")
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
    with connection.transaction():
        connection.execute("""UPDATE records SET value = replace(replace(value,
            '"precision":', '"qualifier":"exact","precision":'),
            '"surname":', '"kind":"birth","surname":')
            WHERE instr(value, '"kind":"married"') = 0 AND instr(value, 'qualifier') = 0""")
        assert connection.rows("SELECT changes()")[0][0] > 50
        for statement in REWRITE.split(";"):
            connection.execute(statement)

    table = repository / "demo" / "records" / "marriages"
    with open_archive(connection.path) as archive:
        again = archive.import_file(f"{table}.csv", mapping=f"{table}.toml", dry_run=True)

    assert digest_file(connection) == before
    assert (again.counts.unchanged, again.counts.moved) == (85, 0)
