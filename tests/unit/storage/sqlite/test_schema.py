"""Tests for `forebear.storage.sqlite.schema`: no password stays in an archive."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from forebear.storage.sqlite.migrate import open_file
from forebear.storage.sqlite.schema import read_address


def test_the_password_of_an_older_archive_is_removed_when_it_is_opened(
    tmp_path: Path, repository: Path
) -> None:
    kept = repository / "tests" / "golden" / "archives" / "format_3.archive"
    path = Path(shutil.copy(kept, tmp_path / "archive.forebear"))
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(
            "CREATE TABLE cluster (hosts TEXT NOT NULL, prefix TEXT NOT NULL,"
            " shards INTEGER NOT NULL, replicas INTEGER NOT NULL)"
        )
        file.execute(
            "INSERT INTO cluster VALUES (?, 'p', 1, 0)",
            ('["https://reader:hunter2@search.example:9200", "http://b.example"]',),
        )

    connection = open_file(path)
    address = read_address(connection)
    connection.checkpoint()
    connection.close()

    assert address
    assert address.hosts == ("https://search.example:9200", "http://b.example")
    assert b"hunter2" not in path.read_bytes()
