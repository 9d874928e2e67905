"""A snapshot of the file is of one moment, however many reads it takes and whoever writes."""

from pathlib import Path

from forebear.storage.sqlite.connection import Connection, create_file, open_file

COUNT = "SELECT counter FROM changes"


def write(connection: Connection) -> None:
    with connection.transaction():
        connection.execute("UPDATE changes SET counter = counter + 1")


def test_what_others_write_is_seen_after_the_outer_snapshot(tmp_path: Path) -> None:
    create_file(tmp_path / "a").close()
    reader, writer = open_file(tmp_path / "a"), open_file(tmp_path / "a")

    with reader.snapshot():
        before = reader.rows(COUNT)
        write(writer)
        with reader.snapshot():
            inside = reader.rows(COUNT)
        still = reader.rows(COUNT)
    after = reader.rows(COUNT)

    assert before == inside == still == [(0,)]
    assert after == [(1,)]
    reader.close()
    writer.close()
