"""How are personas read: from the columns next to the archive, or its rows, each checked?

The archive says which file of columns is its own, by a random token, and which segments of it
count; whatever deletes or changes a persona notes its number in the table ``outdated``.  All of it
is read in the snapshot of a search, so a search never uses columns of another moment: personas that
are outdated, newer than the segments, or damaged in the file are read from the archive.

An import appends what it inserts in the transaction that inserts it, and at its end what is missing
still.  The file is written again when much of it is outdated.  It is
part of no backup.  A small archive has none.
"""

import json
import logging
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pyroaring import BitMap

from forebear.errors import ForebearError
from forebear.storage.columns import (
    TOKEN_BYTES,
    ColumnsFile,
    Ints,
    Personas,
    RunSums,
    Segment,
    append_segment,
    create_columns,
    erase_rows,
    join_personas,
    run_sums,
    units_of,
)
from forebear.storage.sqlite.checksums import (
    damaged_personas,
    guard_table,
    raise_damaged,
    require_table,
)
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.disk import COLUMNS_SUFFIX

MIN_NEW = 5_000  # personas; fewer are read from the archive
MAX_SEGMENTS = 256
MAX_OUTDATED = 0.1  # of the personas in the file
PERSONAS_PER_SEGMENT = 200_000  # so that others who write need not wait long
PERSONAS_PER_CHECK = 50_000
PERSONAS = "SELECT id, record, position, tie, masked, checksum, terms FROM personas"
KEY = "columns"  # in the table of metadata
TABLE = "outdated"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Stored:
    """What the archive says of its file."""

    token: str
    segments: tuple[Segment, ...]

    @property
    def last(self) -> int:
        """Return the number of the last persona in the file."""
        return self.segments[-1].number + self.segments[-1].personas - 1 if self.segments else 0

    @property
    def unit(self) -> int:
        """Return the unit after the last segment."""
        return self.segments[-1].end if self.segments else 1


@dataclass(frozen=True, slots=True)
class UsableColumns:
    """What a snapshot may read of the file."""

    file: ColumnsFile
    segments: tuple[Segment, ...]
    outdated: Ints


class ArchiveColumns:
    """The columns of an archive file, opened when they are first used.

    They are written for at least ``min_new`` personas at a time.
    """

    def __init__(self, connection: Connection, *, min_new: int = MIN_NEW) -> None:
        self._connection = connection
        self._min_new = min_new
        self._path = columns_path(connection)
        self._usable: tuple[tuple[str, int], UsableColumns] | None = None

    def current(self) -> UsableColumns | None:
        """Return what the current snapshot may read of the file, if there is one."""
        change = self._connection.change()
        text = None if change is None else _stored_text(self._connection)
        if text is None or change is None:
            return None
        last = self._usable
        if last and last[0] == (text, change):
            return last[1]
        stored = _parse(text)
        file = last[1].file if last else None
        if file is None or file.token != stored.token or file.units < stored.unit:
            file = self._open(stored)
        if file is None:
            return None
        usable = UsableColumns(file, stored.segments, _outdated(self._connection))
        self._usable = ((text, change), usable)
        return usable

    def extend(self, *, again: bool = False) -> None:
        """Write what the file lacks, or all of it ``again``; a failure is only logged."""
        try:
            if again:
                self.forget()
            while _needs_more(self._connection, self._min_new):
                _write_chunk(self._connection, self._min_new)
        except (OSError, ForebearError) as error:
            self._warn(error)

    def append(self, personas: Personas) -> None:
        """Write personas that were just inserted, inside the transaction that inserted them.

        Those that the file lacks before them are written too, unless they are many: `extend` does
        that.  So does it if this fails.
        """
        first = int(personas.numbers[0])
        stored = _stored(self._connection)
        last = stored.last if stored else 0
        if len(personas) < self._min_new or not last < first <= last + PERSONAS_PER_SEGMENT:
            return
        if stored and _is_worn(self._connection, stored, self._min_new):
            return
        try:
            stored = stored or _begin_file(self._connection, self._path)
            if first > last + 1:
                before = read_personas_between(self._connection, last, first)
                personas = join_personas([before, personas])
            _append(self._connection, self._path, stored, personas)
        except (OSError, ForebearError) as error:
            self._warn(error)

    def forget(self) -> None:
        """Delete the file."""
        with self._connection.transaction():
            forget_columns(self._connection)
        self._path.unlink(missing_ok=True)

    def erase_outdated(self) -> None:
        """Overwrite what the file has of personas that were deleted."""
        with self._connection.snapshot():
            stored = _stored(self._connection)
            if stored is None or (file := self._open(stored)) is None:
                return
            file.close()
            outdated = _outdated(self._connection)
        if len(outdated) <= MAX_OUTDATED * stored.last:
            erase_rows(self._path, stored.segments, outdated)
        else:
            self.extend(again=True)

    def _open(self, stored: _Stored) -> ColumnsFile | None:
        return _open(self._path, stored)

    def _warn(self, error: Exception) -> None:
        logger.warning("%s was not written: %s", self._path, error)


def columns_path(connection: Connection) -> Path:
    """Return where the file of columns of an archive is, if there is one."""
    return connection.path.with_name(connection.path.name + COLUMNS_SUFFIX)


def forget_columns(connection: Connection) -> None:
    """Let no one use the file any more, inside a transaction of the caller's."""
    connection.execute("DELETE FROM metadata WHERE name = ?", (KEY,))
    for event in ("delete", "update"):
        connection.execute(f"DROP TRIGGER IF EXISTS personas_{event}_{TABLE}")
    connection.execute("DELETE FROM checksums WHERE name = ?", (TABLE,))
    connection.execute(f"DROP TABLE IF EXISTS {TABLE}")


def columns_faults(connection: Connection) -> Iterator[str]:
    """Yield what of the file is not what the archive says, or was not written so."""
    stored = _stored(connection)
    file = _open(columns_path(connection), stored) if stored else None
    if stored is None or file is None:
        return
    outdated = BitMap(_outdated(connection))
    for number in range(1, stored.last + 1, PERSONAS_PER_CHECK):
        numbers = np.arange(number, min(number + PERSONAS_PER_CHECK, stored.last + 1))
        rows = connection.rows(
            "SELECT id FROM personas WHERE id BETWEEN ? AND ?",
            (int(numbers[0]), int(numbers[-1])),
        )
        ids = BitMap([persona for (persona,) in rows])
        chosen = ids - outdated
        expected = read_personas(connection, chosen)
        written, covered = file.read(stored.segments, expected.numbers, run_sums, gather=True)
        same = expected.take(covered).gathered()
        differs = np.zeros(len(same), np.bool_)
        for column in ("records", "positions", "ties", "counts"):
            differs |= getattr(same, column) != getattr(written, column)
        if differs.any() or not np.array_equal(same.terms, written.terms):
            yield "the columns are not those of the personas"
        inside = units_of(stored.segments, expected.numbers) > 0
        for persona in expected.numbers[inside & ~covered].tolist():
            yield f"the columns of persona {persona} are not what was written"
        absent = np.array(BitMap(numbers.tolist()) - ids - outdated, np.int64)
        if file.read(stored.segments, absent, run_sums, gather=True)[1].any():
            yield "the columns have personas that the archive lacks"


def _needs_more(connection: Connection, min_new: int) -> bool:
    with connection.snapshot():
        stored = _stored(connection)
        return _is_worn(connection, stored, min_new) or (
            _last_persona(connection) >= (stored.last if stored else 0) + min_new
        )


def _is_worn(connection: Connection, stored: _Stored | None, min_new: int) -> bool:
    """Return whether the file should be written again."""
    if stored is None:
        return _last_persona(connection) >= min_new
    if len(stored.segments) > MAX_SEGMENTS:
        return True
    ((outdated,),) = connection.rows(f"SELECT count(*) FROM {TABLE}")
    if outdated > MAX_OUTDATED * stored.last and outdated >= min_new:
        return True
    return _open(columns_path(connection), stored) is None


def _write_chunk(connection: Connection, min_new: int) -> None:
    """Write the next personas that the file lacks, in a transaction that makes them count."""
    path = columns_path(connection)
    with connection.transaction():
        stored = _stored(connection)
        if stored is None or _is_worn(connection, stored, min_new):
            stored = _begin_file(connection, path)
        personas = read_personas_after(connection, stored.last, PERSONAS_PER_SEGMENT)
        _append(connection, path, stored, personas)


def _append(connection: Connection, path: Path, stored: _Stored, personas: Personas) -> None:
    """Append personas to the file, and let them count when the transaction ends."""
    segments = stored.segments
    if len(personas):
        segments = (*segments, append_segment(path, personas, unit=stored.unit))
    text = json.dumps([stored.token, segments])
    connection.execute("REPLACE INTO metadata VALUES (?, ?)", (KEY, text))


def _begin_file(connection: Connection, path: Path) -> _Stored:
    forget_columns(connection)
    token = secrets.token_hex(TOKEN_BYTES)
    create_columns(path, token)
    connection.execute(f"CREATE TABLE {TABLE} (persona INTEGER PRIMARY KEY)")
    guard_table(connection, TABLE)
    for event in ("delete", "update"):
        connection.execute(
            f"CREATE TRIGGER personas_{event}_{TABLE} AFTER {event} ON personas"
            f" BEGIN INSERT OR IGNORE INTO {TABLE} VALUES (OLD.id); END"
        )
    return _Stored(token, ())


def _open(path: Path, stored: _Stored) -> ColumnsFile | None:
    """Return the file of columns if it is the archive's and whole."""
    with suppress(OSError, ValueError):
        file = ColumnsFile(path)
        if file.token == stored.token and file.units >= stored.unit:
            return file
        file.close()
    return None


def _last_persona(connection: Connection) -> int:
    return int(connection.rows("SELECT coalesce(max(id), 0) FROM personas")[0][0])


def _outdated(connection: Connection) -> Ints:
    require_table(connection, TABLE)
    rows = connection.rows(f"SELECT persona FROM {TABLE} ORDER BY persona")
    return np.array([number for (number,) in rows], np.int64)


def _stored_text(connection: Connection) -> str | None:
    rows = connection.rows("SELECT value FROM metadata WHERE name = ?", (KEY,))
    return rows[0][0] if rows else None


def _stored(connection: Connection) -> _Stored | None:
    text = _stored_text(connection)
    return _parse(text) if text else None


def _parse(text: str) -> _Stored:
    token, segments = json.loads(text)
    return _Stored(token, tuple([Segment(*segment) for segment in segments]))


def find_personas(
    connection: Connection,
    columns: UsableColumns | None,
    chosen: BitMap,
    sums: RunSums = run_sums,
    *,
    gather: bool = True,
) -> Personas:
    """Return personas from the columns, and from the archive those that the columns lack.

    With ``gather`` their terms are in a new array.
    """
    if columns is None:
        return read_personas(connection, chosen)
    numbers = np.frombuffer(chosen.to_array(), np.uint32).astype(np.int64)
    current = numbers
    if len(columns.outdated):
        current = np.setdiff1d(numbers, columns.outdated, assume_unique=True)
    personas, covered = columns.file.read(columns.segments, current, sums, gather=gather)
    if len(personas) == len(numbers):
        return personas
    rest = np.setdiff1d(numbers, current[covered], assume_unique=True)
    return join_personas([personas, read_personas(connection, rest.tolist())])


def read_personas(connection: Connection, numbers: Iterable[int]) -> Personas:
    """Return the personas with these numbers from the archive."""
    chosen = list(numbers)
    rows = sorted(  # they mostly are, but no rule says so
        connection.rows_in(f"{PERSONAS} WHERE id IN", chosen)
    )
    if len(rows) != len(chosen):
        raise_damaged(connection, "the number of personas")
    return _sound(connection, rows)


def read_personas_after(connection: Connection, number: int, count: int) -> Personas:
    """Return this many personas with higher numbers than one, or those that there are."""
    sql = f"{PERSONAS} WHERE id > ? ORDER BY id LIMIT ?"
    return _sound(connection, connection.rows(sql, (number, count)))


def read_personas_between(connection: Connection, after: int, before: int) -> Personas:
    """Return the personas with numbers between two others from the archive."""
    sql = f"{PERSONAS} WHERE id > ? AND id < ? ORDER BY id"
    return _sound(connection, connection.rows(sql, (after, before)))


def _sound(connection: Connection, rows: Sequence[tuple[Any, ...]]) -> Personas:
    *columns, blobs = zip(*rows, strict=True) if rows else [()] * 7
    try:
        ids, records, positions, ties, masked, checksums = (np.array(c, np.int64) for c in columns)
        damaged = damaged_personas((ids, records, positions, ties, masked), blobs, checksums)
    except (TypeError, ValueError, OverflowError):
        raise_damaged(connection, "a row of personas")
    if len(damaged):
        raise_damaged(connection, f"row {damaged[0]} of personas")
    counts: Ints = np.array([len(blob) // 4 for blob in blobs], np.int64)
    return Personas(
        numbers=ids,
        records=records,
        positions=positions,
        ties=ties,
        terms=np.frombuffer(b"".join(blobs), "<i4"),
        firsts=np.cumsum(counts) - counts,
        counts=counts,
    )
