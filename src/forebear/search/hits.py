"""What does a ranked list hold?  `Hits`: columns with one entry for each hit, best first.

A search returns hundreds of hits and shows twenty of them.  So a hit is an entry of each column
from the storage to the log, and a `Hit`, one row of the columns, is created only where it is shown.
Keys of records are read for rows that are shown or logged: the storage knows a record by number.

A *tie key* is a hash of a record's key.  It orders records of equal score, the same in every
storage and without favor to collections that come early in the alphabet.  It also tells records
apart and remains theirs when the archive changes, while numbers are used again after a delete.

Everything is whole 64ths of a bit, so that what a hit consists of adds up exactly.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, compress
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from forebear.search.model import UNITS_PER_BIT

Ints = NDArray[np.int64]
Bits = NDArray[np.bool_]
PackedBits = NDArray[np.uint8]  # one row a hit; bit j is clause j of its list, as `packbits` does

TIE_KEYS = 1 << 63  # how many tie keys there are, from 0
NO_YEAR = np.iinfo(np.int64).min  # of a hit without a year

# Returns the keys of records, given their numbers and their tie keys.
KeyReader = Callable[[Sequence[int], Sequence[int]], Sequence[str]]


def tie_key(record_key: str) -> int:
    """Return where a record is among records of the same score, lowest first."""
    digest = hashlib.blake2b(record_key.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1  # fits a signed 64-bit column


@dataclass(frozen=True, slots=True, kw_only=True)
class ListShift:
    """How the scores of a list are shifted for one query, in 64ths of a bit."""

    shift: int = 0
    slope: int = UNITS_PER_BIT  # 64 leaves the scores as they are
    conditions: tuple[tuple[str, int], ...] = ()  # facts of the query, and what each adds

    @overload
    def slope_bits(self, score: int) -> int: ...

    @overload
    def slope_bits(self, score: Ints) -> Ints: ...

    def slope_bits(self, score: int | Ints) -> int | Ints:
        """Return what the slope adds to a score; it may level two scores, never turn them.

        >>> ListShift(slope=96).slope_bits(64), ListShift().slope_bits(64)
        (32, 0)
        """
        return (2 * score * self.slope + UNITS_PER_BIT) // (2 * UNITS_PER_BIT) - score

    @overload
    def evidence(self, score: int) -> int: ...

    @overload
    def evidence(self, score: Ints) -> Ints: ...

    def evidence(self, score: int | Ints) -> int | Ints:
        """Return the evidence that a score of the list is."""
        added = self.shift + sum(bits for _, bits in self.conditions)
        return score + self.slope_bits(score) + added


def no_keys(records: Sequence[int], ties: Sequence[int]) -> Sequence[str]:
    """Return the keys of no records."""
    del ties
    if records:
        raise ValueError("these hits were given no keys")
    return ()


@dataclass(frozen=True, kw_only=True)
class RankedListInfo:
    """What the hits of one list have in common."""

    name: str
    record_type: str
    clauses: tuple[str, ...] = ()  # names, in the order of the packed bits
    collections: tuple[str, ...] = ()  # that form the list; empty if they are unknown
    shift: ListShift = ListShift()
    keys: KeyReader = field(default=no_keys, compare=False, repr=False)

    @cached_property
    def columns(self) -> Mapping[str, int]:
        """Return which bit is that of a clause, by its name."""
        return {clause: column for column, clause in enumerate(self.clauses)}

    def mask(self, clauses: Iterable[str], width: int) -> PackedBits:
        """Return the packed bits of some clauses, of this many bytes; others have none."""
        mask = bytearray(width)
        for clause in clauses:
            if (column := self.columns.get(clause)) is not None:
                mask[column // 8] |= 128 >> column % 8
        return np.frombuffer(mask, np.uint8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A record under its best persona: one row of `Hits`."""

    record_key: str
    list_name: str
    record_type: str
    position: int  # of the persona on the record
    tie: int
    score: int  # in its list, in 64ths of a bit
    fired: tuple[str, ...]  # names of the clauses that fired, in the catalog's order
    year: int | None = None  # the last of the record's event, in lists of DATED_TYPES
    shift: ListShift = ListShift()  # of its list
    decay: int = 0  # what it pays for records of its type before it

    @property
    def evidence(self) -> int:
        """Return what is in favor of the record being the right one."""
        return self.shift.evidence(self.score)

    @property
    def fused_score(self) -> int:
        """Return the score by which the one list is ordered."""
        return self.evidence - self.decay


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hits(Sequence[Hit]):
    """The hits of a list, or of several lists as one, best first."""

    record: Ints  # the storage's number of the record
    position: Ints  # of the persona on the record
    tie: Ints
    score: Ints  # in its list
    evidence: Ints  # the score, shifted as its list is
    decay: Ints
    of_list: Ints  # which of the lists
    fired: PackedBits
    year: Ints  # NO_YEAR where it has none
    lists: tuple[RankedListInfo, ...] = ()

    def __len__(self) -> int:
        return len(self.record)

    @overload
    def __getitem__(self, index: int) -> Hit: ...

    @overload
    def __getitem__(self, index: slice) -> "Hits": ...

    def __getitem__(self, index: int | slice) -> "Hit | Hits":
        if isinstance(index, slice):
            return self.take(np.arange(len(self))[index])
        return self.row(range(len(self))[index])

    def __iter__(self) -> Iterator[Hit]:
        return map(self._row, range(len(self)), self.record_keys())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hits) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(self.tie.tobytes())

    def row(self, at: int) -> Hit:
        """Return one hit."""
        return self._row(at, self.take([at]).record_keys()[0])

    def take(self, rows: ArrayLike) -> "Hits":
        """Return some of the hits, in the order of these row numbers or where these bits are."""
        chosen = np.asarray(rows)
        chosen = chosen if chosen.dtype == np.bool_ else chosen.astype(np.int64)
        return Hits(
            record=self.record[chosen],
            position=self.position[chosen],
            tie=self.tie[chosen],
            score=self.score[chosen],
            evidence=self.evidence[chosen],
            decay=self.decay[chosen],
            of_list=self.of_list[chosen],
            fired=self.fired[chosen],
            year=self.year[chosen],
            lists=self.lists,
        )

    def record_keys(self) -> list[str]:
        """Return the key of each hit's record."""
        readers = {info.keys for info in self.lists}
        if len(readers) == 1:
            return list(readers.pop()(self.record.tolist(), self.tie.tolist()))
        keys = [""] * len(self)
        for number, info in enumerate(self.lists):
            rows = np.flatnonzero(self.of_list == number)
            read = info.keys(self.record[rows].tolist(), self.tie[rows].tolist())
            for row, key in zip(rows.tolist(), read, strict=True):
                keys[row] = key
        return keys

    def record_types(self) -> NDArray[np.str_]:
        """Return the type of each hit's record."""
        types = np.array([info.record_type for info in self.lists])
        return types[self.of_list]

    def shifted(self, shift: ListShift) -> "Hits":
        """Return the hits of one list as they are after its shift."""
        (info,) = self.lists
        return replace(
            self, evidence=shift.evidence(self.score), lists=(replace(info, shift=shift),)
        )

    def fires_any(self, *clauses: str) -> Bits:
        """Return of each hit whether one of these clauses fired."""
        masked = self.masked([clauses] * len(self.lists))
        bits: Bits = np.bitwise_or.reduce(masked, axis=1) > 0
        return bits

    def fires_all(self, *clauses: str) -> Bits:
        """Return of each hit whether all of these clauses fired."""
        bits = np.ones(len(self), np.bool_)
        for clause in clauses:
            bits &= self.fires_any(clause)
        return bits

    def masked(self, chosen: Sequence[Iterable[str]]) -> PackedBits:
        """Return the packed bits of some clauses alone: those chosen for each list."""
        pairs = zip(self.lists, chosen, strict=True)
        masks = np.stack([info.mask(clauses, self.width) for info, clauses in pairs])
        return self.fired & masks[self.of_list]

    def bits(self) -> Bits:
        """Return one row a hit of one list, and one column a clause: which clauses fired."""
        (info,) = self.lists
        return np.unpackbits(self.fired, axis=1, count=len(info.clauses)).view(np.bool_)

    @property
    def width(self) -> int:
        """Return how many bytes the packed bits of a hit have."""
        return int(self.fired.shape[1])

    def _row(self, at: int, key: str) -> Hit:
        info = self.lists[self.of_list[at]]
        fired = np.unpackbits(self.fired[at], count=len(info.clauses)).tolist()
        year = int(self.year[at])
        return Hit(
            record_key=key,
            list_name=info.name,
            record_type=info.record_type,
            position=int(self.position[at]),
            tie=int(self.tie[at]),
            score=int(self.score[at]),
            fired=tuple(compress(info.clauses, fired)),
            year=None if year == NO_YEAR else year,
            shift=info.shift,
            decay=int(self.decay[at]),
        )


def list_hits(
    info: RankedListInfo,
    *,
    record: ArrayLike,
    position: ArrayLike,
    tie: ArrayLike,
    score: ArrayLike,
    fired: PackedBits,
    year: ArrayLike | None = None,
) -> Hits:
    """Return the hits of one list, before it is fused with others."""
    scores = np.asarray(score, np.int64)
    nothing = np.zeros(len(scores), np.int64)
    return Hits(
        record=np.asarray(record, np.int64),
        position=np.asarray(position, np.int64),
        tie=np.asarray(tie, np.int64),
        score=scores,
        evidence=scores,
        decay=nothing,
        of_list=nothing,
        fired=fired.reshape(len(scores), -(-len(info.clauses) // 8)),
        year=np.full(len(scores), NO_YEAR) if year is None else np.asarray(year, np.int64),
        lists=(info,),
    )


def keyed_hits(
    info: RankedListInfo,
    *,
    keys: Sequence[str],
    positions: Sequence[int],
    scores: Sequence[int],
    fired: ArrayLike,
    years: Sequence[int | None] | None = None,
) -> Hits:
    """Return the hits of one list whose keys are at hand; ``fired`` has a row for each hit."""
    bits = np.array(fired, np.bool_).reshape(len(keys), len(info.clauses))
    return list_hits(
        replace(info, keys=lambda records, _: [keys[record] for record in records]),
        record=range(len(keys)),
        position=positions,
        tie=[tie_key(key) for key in keys],
        score=scores,
        fired=np.packbits(bits, axis=1),
        year=None if years is None else [NO_YEAR if year is None else year for year in years],
    )


NO_HITS = list_hits(
    RankedListInfo(name="", record_type=""),
    record=(),
    position=(),
    tie=(),
    score=(),
    fired=np.zeros((0, 0), np.uint8),
)


def join_hits(parts: Sequence[Hits]) -> Hits:
    """Return the hits of some lists, one list after the other."""
    parts = [part for part in parts if len(part)] or [NO_HITS]
    width = max(part.width for part in parts)
    firsts = accumulate((len(part.lists) for part in parts[:-1]), initial=0)

    def wide(fired: PackedBits) -> PackedBits:
        return np.pad(fired, ((0, 0), (0, width - fired.shape[1])))

    return Hits(
        record=np.concatenate([part.record for part in parts]),
        position=np.concatenate([part.position for part in parts]),
        tie=np.concatenate([part.tie for part in parts]),
        score=np.concatenate([part.score for part in parts]),
        evidence=np.concatenate([part.evidence for part in parts]),
        decay=np.concatenate([part.decay for part in parts]),
        of_list=np.concatenate(
            [part.of_list + first for part, first in zip(parts, firsts, strict=True)]
        ),
        fired=np.concatenate([wide(part.fired) for part in parts]),
        year=np.concatenate([part.year for part in parts]),
        lists=tuple(info for part in parts for info in part.lists),
    )
