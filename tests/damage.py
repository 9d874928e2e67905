"""What does an archive do with a file in which a disk changed bytes?"""

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forebear.archive import open_archive
from forebear.errors import ForebearError
from forebear.storage.sqlite.checksums import register

HEADER_BYTES = 100  # of the file; SQLite does not use all of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one damaged file."""

    place: int  # of the changed byte
    faults: int | None  # that the check lists; None: it refused the file
    changed_values: bool  # SQLite reads other values than before, or none
    searched: str  # same, refused, changed
    crash: str = ""  # an error that is not ours

    @property
    def is_reported(self) -> bool:
        """Return whether the check says that something is wrong."""
        return self.faults is None or self.faults > 0


def flip_bytes(source: Path, target: Path, *, seed: int, count: int) -> Iterator[int]:
    """Write copies of a file to ``target``, each with one byte changed, and yield its place."""
    content = source.read_bytes()
    draw = random.Random(seed)
    for _ in range(count):
        place = draw.randrange(HEADER_BYTES, len(content))
        damaged = bytearray(content)
        damaged[place] ^= draw.randrange(1, 256)
        for suffix in ("-wal", "-shm"):
            target.with_name(target.name + suffix).unlink(missing_ok=True)
        target.write_bytes(damaged)
        yield place


def examine(path: Path, place: int, *, search: Callable[[Path], object], before: Any) -> Outcome:
    """Search, show and check a damaged file; ``before`` are its `values` and its answer."""
    values, answer = before
    changed_values = stored_values(path) != values
    searched, faults, crash = "refused", None, ""
    try:
        answered = search(path)
        searched = "same" if answered == answer else "changed"
    except ForebearError:
        pass
    except Exception as error:
        crash = f"search: {error!r}"
    try:
        with open_archive(path) as archive:
            faults = len(archive.check().faults)
    except ForebearError:
        pass
    except Exception as error:
        crash = f"check: {error!r}"
    return Outcome(
        place=place,
        faults=faults,
        changed_values=changed_values,
        searched=searched,
        crash=crash,
    )


def stored_values(path: Path) -> object:
    """Return all rows of all tables as SQLite reads them; None if it cannot."""
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        register(connection)
        try:
            tables = connection.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name"
            ).fetchall()
            return [
                (name, sql, connection.execute(f'SELECT * FROM "{name.decode()}"').fetchall())
                for name, sql in tables
                if name != b"sqlite_sequence"
            ]
        except (sqlite3.Error, UnicodeDecodeError):
            return None
