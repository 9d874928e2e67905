"""How are personas read from the file, each checked against its checksum?"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forebear.storage.sqlite.checksums import damaged_personas, raise_damaged
from forebear.storage.sqlite.connection import Connection

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPersonas:
    """Personas in the order of their numbers."""

    numbers: Ints
    records: Ints
    positions: Ints
    ties: Ints
    terms: tuple[bytes, ...]  # the numbers of the terms of each


def read_personas(connection: Connection, numbers: Iterable[int]) -> StoredPersonas:
    """Return the personas with these numbers."""
    chosen = list(numbers)
    rows = sorted(  # they mostly are, but no rule says so
        connection.rows_in(
            "SELECT id, record, position, tie, masked, checksum, terms FROM personas WHERE id IN",
            chosen,
        )
    )
    if len(rows) != len(chosen):
        raise_damaged(connection, "the number of personas")
    *columns, blobs = zip(*rows, strict=True) if rows else [()] * 7
    try:
        ids, records, positions, ties, masked, checksums = (np.array(c, np.int64) for c in columns)
        damaged = damaged_personas((ids, records, positions, ties, masked), blobs, checksums)
    except (TypeError, ValueError, OverflowError):
        raise_damaged(connection, "a row of personas")
    if len(damaged):
        raise_damaged(connection, f"row {damaged[0]} of personas")
    return StoredPersonas(numbers=ids, records=records, positions=positions, ties=ties, terms=blobs)
