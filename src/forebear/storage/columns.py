"""How are personas read by the thousand?  From a file of columns, mapped into memory.

A search needs of each candidate its record, its position on it, the tie key of the record and the
numbers of its terms.  Rows of a database cost microseconds each, and a mapped array nanoseconds.
The file is derived: it may be deleted at any time, and without it a search reads the database.

The file is a header and *segments*, each the rows of consecutive personas and after them their
terms.  A segment is never changed, only erased rows are overwritten with zeros; new personas
are appended as another segment.  Which segments count, and which of their rows are outdated,
says whoever owns the file, not the file itself: a reader of an older moment reads the same file.
Every row has a checksum, so a row that is damaged or erased is not used.
"""

import mmap
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forebear.storage.sqlite.checksums import mix_arrays

MAGIC = b"Forebear columns 1\0\0\0\0\0\0"
TOKEN_BYTES = 8
UNIT = 32  # bytes; the header, a row, and what a segment's terms are padded to
TERM_BYTES = 4
ROW = np.dtype(
    [
        ("first", "<i8"),  # where its terms begin in the file, counted in terms
        ("tie", "<i8"),
        ("record", "<i4"),
        ("position", "<i4"),
        ("terms", "<i4"),  # how many
        ("checksum", "<i4"),
    ]
)
PRIVATE = 0o600

Ints = NDArray[np.int64]
Terms = NDArray[np.int32]
Bits = NDArray[np.bool_]


# Returns a number for the terms of each run, given where they begin and how many they are.
RunSums = Callable[[Terms, Ints, Ints], Ints]


@dataclass(frozen=True, slots=True, kw_only=True)
class Personas:
    """Personas in the order of their numbers; their terms are runs of an array."""

    numbers: Ints
    records: Ints
    positions: Ints
    ties: Ints
    terms: Terms
    firsts: Ints  # where the terms of each begin in the array
    counts: Ints  # how many terms each has

    def __len__(self) -> int:
        return len(self.numbers)

    def take(self, rows: NDArray[np.generic]) -> "Personas":
        """Return some of the personas."""
        return Personas(
            numbers=self.numbers[rows],
            records=self.records[rows],
            positions=self.positions[rows],
            ties=self.ties[rows],
            terms=self.terms,
            firsts=self.firsts[rows],
            counts=self.counts[rows],
        )

    def gathered(self) -> "Personas":
        """Return the same personas, their terms one after the other in a new array."""
        bounds = np.cumsum(self.counts)
        firsts = bounds - self.counts
        at = np.repeat(self.firsts - firsts, self.counts)
        at += np.arange(len(at))
        return Personas(
            numbers=self.numbers,
            records=self.records,
            positions=self.positions,
            ties=self.ties,
            terms=self.terms[at],
            firsts=firsts,
            counts=self.counts,
        )

    def bounds(self) -> Ints:
        """Return where the terms of each begin and end; of gathered personas."""
        return np.append(self.firsts, len(self.terms))

    def rows_of(self, numbers: Ints) -> Ints:
        """Return the rows of some of the personas, by their numbers."""
        rows: Ints = np.searchsorted(self.numbers, numbers)
        return rows


def join_personas(parts: Sequence[Personas]) -> Personas:
    """Return the personas of several parts, gathered, in the order of their numbers."""
    gathered = [part.gathered() for part in parts]
    terms = np.concatenate([part.terms for part in gathered])
    offsets = np.cumsum([0, *(len(part.terms) for part in gathered[:-1])])
    joined = Personas(
        numbers=np.concatenate([part.numbers for part in gathered]),
        records=np.concatenate([part.records for part in gathered]),
        positions=np.concatenate([part.positions for part in gathered]),
        ties=np.concatenate([part.ties for part in gathered]),
        terms=terms,
        firsts=np.concatenate(
            [part.firsts + offset for part, offset in zip(gathered, offsets, strict=True)]
        ),
        counts=np.concatenate([part.counts for part in gathered]),
    )
    return joined.take(np.argsort(joined.numbers, kind="stable")).gathered()


def run_sums(terms: Terms, firsts: Ints, counts: Ints) -> Ints:
    """Return the sum of the terms of each run, the k-th times 2 k + 1; it wraps at 64 bits.

    >>> terms = np.array([7, 1, 2, 3], np.int32)
    >>> run_sums(terms, np.array([1, 0]), np.array([3, 0])).tolist()
    [22, 0]
    """
    sums = np.zeros(len(firsts), np.int64)
    filled = np.flatnonzero(counts)
    if len(filled):
        lengths = counts[filled]
        starts = np.cumsum(lengths) - lengths
        places = np.arange(int(lengths.sum())) - np.repeat(starts, lengths)
        values = terms[np.repeat(firsts[filled], lengths) + places].astype(np.int64)
        sums[filled] = np.add.reduceat(values * (2 * places + 1), starts)
    return sums


class Segment(NamedTuple):
    """Consecutive personas in a file."""

    number: int  # of the first persona
    personas: int
    unit: int  # where its rows begin in the file
    end: int  # the unit after its terms


class ColumnsFile:
    """A file of columns, mapped for reading."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if self._map[: len(MAGIC)] != MAGIC:
            raise ValueError(f"{str(path)!r} is not a file of columns")
        self.token = self._map[len(MAGIC) : UNIT].hex()
        self.units = len(self._map) // UNIT
        self._rows = np.frombuffer(self._map, ROW, self.units)
        self._terms = np.frombuffer(self._map, "<i4", self.units * (UNIT // TERM_BYTES))

    def read(
        self, segments: Sequence[Segment], numbers: Ints, sums: RunSums, *, gather: bool
    ) -> tuple[Personas, Bits]:
        """Return those of some personas, by number, that the segments have, and which they are.

        With ``gather`` their terms are copied into a separate array.
        """
        units = units_of(segments, numbers)
        covered = units > 0
        chosen = numbers[covered]
        rows = self._rows[units[covered]]
        personas = Personas(
            numbers=chosen,
            records=rows["record"].astype(np.int64),
            positions=rows["position"].astype(np.int64),
            ties=rows["tie"].astype(np.int64),
            terms=self._terms,
            firsts=rows["first"].astype(np.int64),
            counts=rows["terms"].astype(np.int64),
        )
        last = len(self._terms)
        fits = (personas.firsts >= 0) & (personas.counts >= 0)
        fits &= (personas.firsts <= last) & (personas.counts <= last - personas.firsts)
        fits &= personas.records > 0
        if not fits.all():
            personas, rows = personas.take(fits), rows[fits]
            covered[covered] = fits
        if gather:
            personas = personas.gathered()
        sound = _checksums(personas, sums) == rows["checksum"]
        if not sound.all():
            personas = personas.take(sound)
            covered[covered] = sound
            personas = personas.gathered() if gather else personas
        return personas, covered

    def close(self) -> None:
        """Unmap the file, unless arrays of it are still used: then when they are not any more."""
        del self._rows, self._terms
        with suppress(BufferError):
            self._map.close()


def units_of(segments: Sequence[Segment], numbers: Ints) -> Ints:
    """Return which unit of the file is the row of each persona; 0 for those it lacks."""
    if not segments:
        return np.zeros(len(numbers), np.int64)
    first, count, unit, _ = _bounds(tuple(segments))
    segment = np.searchsorted(first, numbers, side="right") - 1
    at = numbers - first[segment]
    return np.where((segment >= 0) & (at < count[segment]), at + unit[segment], 0)


@lru_cache(maxsize=8)
def _bounds(segments: tuple[Segment, ...]) -> Ints:
    """Return segments as columns: every search needs them, and there may be hundreds."""
    return np.ascontiguousarray(np.array(segments, np.int64).T)


def create_columns(path: Path, token: str) -> None:
    """Create a file without segments; one that is there is replaced as soon as it is whole."""
    new = path.with_name(path.name + "-new")
    with suppress(FileNotFoundError):
        new.unlink()
    file = os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE)
    try:
        os.write(file, MAGIC + bytes.fromhex(token))
        os.fsync(file)
    finally:
        os.close(file)
    new.replace(path)


def append_segment(path: Path, personas: Personas, *, unit: int) -> Segment:
    """Write personas after this unit of the file, and return their segment.

    What an interrupted writer left there is overwritten.  A number between theirs that no
    persona has gets a row of zeros.
    """
    first = int(personas.numbers[0])
    count = int(personas.numbers[-1]) - first + 1
    gathered = personas.gathered()
    begin = (unit + count) * (UNIT // TERM_BYTES)
    rows = np.zeros(count, ROW)
    at = gathered.numbers - first
    rows["first"][at] = gathered.firsts + begin
    rows["tie"][at] = gathered.ties
    rows["record"][at] = gathered.records
    rows["position"][at] = gathered.positions
    rows["terms"][at] = gathered.counts
    rows["checksum"][at] = _checksums(gathered, run_sums)
    terms = gathered.terms.astype("<i4").tobytes()
    terms += bytes(-len(terms) % UNIT)
    with path.open("r+b") as file:
        file.seek(unit * UNIT)
        file.write(rows.tobytes())
        file.write(terms)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
    return Segment(first, count, unit, unit + count + len(terms) // UNIT)


def erase_rows(path: Path, segments: Sequence[Segment], numbers: Ints) -> None:
    """Overwrite personas, by number, and their terms with zeros."""
    units = units_of(segments, numbers)
    size = path.stat().st_size
    with path.open("r+b") as file:
        for unit in units[units > 0].tolist():
            file.seek(unit * UNIT)
            (row,) = np.frombuffer(file.read(UNIT), ROW)
            start, length = int(row["first"]) * TERM_BYTES, int(row["terms"]) * TERM_BYTES
            if UNIT <= start <= start + length <= size:  # unless the row is damaged
                file.seek(start)
                file.write(bytes(length))
            file.seek(unit * UNIT)
            file.write(bytes(UNIT))
        file.flush()
        os.fsync(file.fileno())


def _checksums(personas: Personas, sums: RunSums) -> Ints:
    of_terms = sums(personas.terms, personas.firsts, personas.counts)
    return mix_arrays(
        personas.numbers, personas.records, personas.positions, personas.ties, of_terms
    )
