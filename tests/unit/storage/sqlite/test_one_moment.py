"""A snapshot of the file is of one moment, however many reads it takes and whoever writes."""

import threading
from pathlib import Path

from forebear.storage.sqlite.backup import back_up
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.migrate import open_file
from forebear.storage.sqlite.schema import create_file

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


def test_threads_read_different_moments_at_once_and_never_wait_for_a_writer(
    tmp_path: Path,
) -> None:
    connection = create_file(tmp_path / "a")
    other = open_file(tmp_path / "a")
    seen: list[tuple[int | None, list[tuple[int]]]] = []

    def read() -> None:
        with connection.snapshot():
            seen.append((connection.change(), connection.rows(COUNT)))

    with connection.snapshot():
        before = connection.change()
        write(other)
        with other.transaction():
            thread = threading.Thread(target=read)
            thread.start()
            thread.join(timeout=20)
            assert not thread.is_alive()
        still = connection.change()

    assert before == still == 0
    assert seen == [(1, [(1,)])]
    connection.close()
    other.close()


def test_a_transaction_reads_what_it_wrote_and_has_no_number_yet(tmp_path: Path) -> None:
    connection = create_file(tmp_path / "a")

    with connection.snapshot():
        with connection.transaction():
            connection.execute("UPDATE changes SET counter = counter + 1")
            inside = connection.rows(COUNT), connection.change()
        outside = connection.rows(COUNT), connection.change()

    assert inside == ([(1,)], None)
    assert outside == ([(1,)], 1)  # the snapshot begins with its first read
    connection.close()


def test_new_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    connection = create_file(tmp_path / "a")
    write(connection)
    with connection.import_lock():
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    back_up(connection, tmp_path / "copy")
    connection.close()

    assert {"a", "a-wal", "a-shm", "a-import"} <= modes.keys()
    assert set(modes.values()) == {0o600}
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o600
