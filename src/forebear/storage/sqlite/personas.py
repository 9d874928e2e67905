"""How are personas read: from the columns next to the archive, or its rows, each checked?"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from pyroaring import BitMap

from forebear.storage.columns import Ints, Personas, RunSums, join_personas, run_sums
from forebear.storage.sqlite.checksums import damaged_personas, raise_damaged
from forebear.storage.sqlite.connection import Connection

if TYPE_CHECKING:
    from forebear.storage.sqlite.columns import UsableColumns

COLUMNS = "SELECT id, record, position, tie, masked, checksum, terms FROM personas"


def find_personas(
    connection: Connection,
    columns: "UsableColumns | None",
    chosen: BitMap,
    sums: RunSums = run_sums,
    *,
    gather: bool = True,
) -> Personas:
    """Return personas from the columns, and from the archive those that the columns lack.

    With ``gather`` their terms are in an array of their own.
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
        connection.rows_in(f"{COLUMNS} WHERE id IN", chosen)
    )
    if len(rows) != len(chosen):
        raise_damaged(connection, "the number of personas")
    return _checked(connection, rows)


def read_personas_after(connection: Connection, number: int, count: int) -> Personas:
    """Return this many personas with higher numbers than one, or those that there are."""
    sql = f"{COLUMNS} WHERE id > ? ORDER BY id LIMIT ?"
    return _checked(connection, connection.rows(sql, (number, count)))


def _checked(connection: Connection, rows: Sequence[tuple[Any, ...]]) -> Personas:
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
