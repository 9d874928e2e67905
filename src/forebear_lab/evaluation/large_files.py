"""How are large runs, judgments and types read into arrays?

These readers take plain files only.  Whatever is not plain (a line with other columns, a number
with underscores, a document that a query has twice) raises `UnsupportedFormat`: the reader by
line then reads the file from the start, and either refuses it with the right message or accepts
it.
"""

import gzip
import math
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from forebear.kernels.ndcg import Floats, Integers
from forebear.trec import GZIP_START, QRELS_COLUMNS, RUN_COLUMNS
from forebear_lab.evaluation.files import TYPE_COLUMNS, type_run_files
from forebear_lab.kernels.text import (
    Bounds,
    Bytes,
    Hashes,
    first_matches,
    word_bounds,
    word_changes,
    word_hashes,
    word_integers,
    word_numbers,
)

# What `str.split` takes for a space besides those of ASCII, the only ones the loops recognize.
_OTHER_SPACES = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")


class UnsupportedFormat(Exception):  # noqa: N818 - no error: the reader by line takes over
    """The file holds something that only the reader by line supports."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Words:
    """The words of one column, as places in the bytes of the file."""

    data: Bytes
    bounds: Bounds

    def __len__(self) -> int:
        return int(self.bounds.shape[0])

    def text(self, row: int) -> str:
        """Return one word."""
        start, end = self.bounds[row]
        return self.data[start:end].tobytes().decode()

    def hashes(self) -> Hashes:
        """Return a hash of each word."""
        return word_hashes(self.data, self.bounds)

    def take(self, rows: Integers) -> "Words":
        """Return the words of these rows."""
        return Words(data=self.data, bounds=self.bounds[rows])

    def numbers(self) -> Floats:
        """Return the finite number that each word means."""
        numbers, unsure = word_numbers(self.data, self.bounds)
        rows = np.flatnonzero(unsure)
        if rows.size:
            content = self.data.tobytes()
            bounds = self.bounds[rows].tolist()
            numbers[rows] = [_read_number(content[start:end]) for start, end in bounds]
        return numbers

    def integers(self) -> Integers:
        """Return the whole number that each word means."""
        integers, unsure = word_integers(self.data, self.bounds)
        if unsure.any():
            raise UnsupportedFormat
        return integers

    def changes(self) -> Integers:
        """Return the rows where a word differs from the one before it, the first included."""
        return np.flatnonzero(word_changes(self.data, self.bounds))

    def codes(self) -> tuple[Integers, tuple[str, ...]]:
        """Return a number for each word, in order of first appearance, and the distinct words."""
        matches = self.matches(self)
        first = matches == np.arange(len(self))
        codes = np.cumsum(first) - 1
        return codes[matches], tuple(self.text(row) for row in np.flatnonzero(first).tolist())

    def matches(self, others: "Words") -> Integers:
        """Return, for each of the other words, the first row with the same word, or -1."""
        return match_words(self, np.array([0, len(self)]), others, np.array([0, len(others)]))[0]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupedDocuments:
    """Documents by query, whatever the order of the file.

    Query q has the documents ``offsets[q]:offsets[q + 1]``.
    """

    queries: tuple[str, ...]
    offsets: Integers
    documents: Words
    rows: Integers  # of the file, for each document

    def of(self, queries: Sequence[str]) -> "GroupedDocuments":
        """Return the documents of these queries, in the order in which they are given."""
        if tuple(queries) == self.queries:
            return self
        numbers = {query: number for number, query in enumerate(self.queries)}
        chosen = np.array([numbers[query] for query in queries], np.int64)
        places, offsets = _gather(self.offsets[:-1][chosen], np.diff(self.offsets)[chosen])
        return GroupedDocuments(
            queries=tuple(queries),
            offsets=offsets,
            documents=self.documents.take(places),
            rows=self.rows[places],
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunColumns:
    """A run: documents by query, and the score of each."""

    documents: GroupedDocuments
    scores: Floats  # by row of the file


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QrelsColumns:
    """Judgments: documents by query, and the grade of each."""

    documents: GroupedDocuments
    grades: Integers  # by row of the file


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TypeColumns:
    """Documents with the number of their type, and how many of each a query has."""

    documents: Words
    types: Integers
    names: tuple[str, ...]
    supply: Mapping[str, Integers] | None = None  # by query, a number for each type

    def __post_init__(self) -> None:
        if (self.types != self.types[self.documents.matches(self.documents)]).any():
            raise UnsupportedFormat  # a document has two types

    def of(self, documents: Words) -> Integers:
        """Return the type of each document, -1 for one that has none."""
        rows = self.documents.matches(documents)
        return np.where(rows < 0, -1, self.types[rows])

    def supply_of(self, queries: Sequence[str]) -> Integers | None:
        """Return how many documents of each type each query could have been shown."""
        if self.supply is None:
            return None
        nothing = np.zeros(len(self.names), np.int64)
        rows = [self.supply.get(query, nothing) for query in queries]
        return np.array(rows, np.int64).reshape(len(queries), len(self.names))


def read_run_columns(path: Path) -> RunColumns:
    """Read a TREC run."""
    columns = read_columns(path, columns=RUN_COLUMNS, keep=("query", "document", "score"))
    documents = group_documents(columns["query"], columns["document"])
    return RunColumns(documents=documents, scores=columns["score"].numbers())


def read_qrels_columns(path: Path) -> QrelsColumns:
    """Read TREC judgments."""
    columns = read_columns(path, columns=QRELS_COLUMNS, keep=("query", "document", "grade"))
    documents = group_documents(columns["query"], columns["document"])
    return QrelsColumns(documents=documents, grades=columns["grade"].integers())


def read_type_columns(path: Path) -> TypeColumns:
    """Read which type each document has."""
    columns = read_columns(path, columns=TYPE_COLUMNS, keep=("document", "type"))
    types, names = columns["type"].codes()
    return TypeColumns(documents=columns["document"], types=types, names=names)


def read_type_run_columns(folder: Path) -> TypeColumns:
    """Read the runs of a folder, one a type."""
    files = type_run_files(folder)
    runs = [read_run_columns(path).documents for path in files.values()]
    supply: dict[str, Integers] = {}
    for number, run in enumerate(runs):
        for query, size in zip(run.queries, np.diff(run.offsets).tolist(), strict=True):
            supply.setdefault(query, np.zeros(len(files), np.int64))[number] = size
    parts = [run.documents for run in runs]
    shifts = np.cumsum([0, *(part.data.size for part in parts[:-1])])
    bounds = [part.bounds + shift for part, shift in zip(parts, shifts, strict=True)]
    return TypeColumns(
        documents=Words(
            data=np.concatenate([part.data for part in parts]), bounds=np.concatenate(bounds)
        ),
        types=np.repeat(np.arange(len(files)), [len(part) for part in parts]),
        names=tuple(files),
        supply=supply,
    )


def match_words(
    words: Words, offsets: Integers, others: Words, other_offsets: Integers
) -> tuple[Integers, int]:
    """Return the row of each of the other words in its group, and how many are distinct."""
    hashes = words.hashes()
    other_hashes = hashes if others is words else others.hashes()
    return first_matches(
        words.data,
        words.bounds,
        hashes,
        offsets,
        others.data,
        others.bounds,
        other_hashes,
        other_offsets,
    )


def group_documents(queries: Words, documents: Words) -> GroupedDocuments:
    """Group documents by query, in the order in which queries first come.

    A document that a query has twice is left to the reader by line.
    """
    starts = queries.changes()
    lengths = np.diff(np.append(starts, len(queries)))
    codes, names = queries.take(starts).codes()
    order = np.argsort(codes, kind="stable")
    rows, _ = _gather(starts[order], lengths[order])
    if codes.size != len(names):  # else the rows of each query are consecutive already
        documents = documents.take(rows)
    sizes = np.bincount(codes, weights=lengths, minlength=len(names)).astype(np.int64)
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    nothing = np.zeros(offsets.size, np.int64)
    _, distinct = match_words(documents, offsets, documents.take(nothing[:0]), nothing)
    if distinct != len(documents):
        raise UnsupportedFormat
    return GroupedDocuments(queries=names, offsets=offsets, documents=documents, rows=rows)


def read_columns(path: Path, *, columns: str, keep: tuple[str, ...]) -> Mapping[str, Words]:
    """Read the columns ``keep`` of a file."""
    content = read_plain(path)
    data = np.frombuffer(content, np.uint8)
    slots = np.array([keep.index(name) if name in keep else -1 for name in columns.split()])
    bounds, rows = word_bounds(data, slots, content.count(b"\n") + 1, len(keep))
    if rows < 0:
        raise UnsupportedFormat
    return {name: Words(data=data, bounds=bounds[slot, :rows]) for slot, name in enumerate(keep)}


def read_plain(path: Path) -> bytes:
    """Return the bytes of a file that is UTF-8 text with no unusual spaces."""
    try:
        content = path.read_bytes()
        if content.startswith(GZIP_START):
            content = gzip.decompress(content)
        if not content.isascii() and _OTHER_SPACES.search(content.decode()):
            raise UnsupportedFormat
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise UnsupportedFormat from error
    return content


def _gather(starts: Integers, lengths: Integers) -> tuple[Integers, Integers]:
    """Return the rows of pieces with these starts and lengths, one after the other."""
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    shifts = np.repeat(starts - offsets[:-1], lengths)
    return shifts + np.arange(offsets[-1]), offsets


def _read_number(word: bytes) -> float:
    try:
        number = float(word)
    except ValueError as error:
        raise UnsupportedFormat from error
    if not math.isfinite(number):
        raise UnsupportedFormat
    return number
