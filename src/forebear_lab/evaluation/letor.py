"""Judged feature vectors in the text form of LETOR, SVMlight and RankLib.

    label qid:QUERY number:value number:value ... # remark

The label is a grade, a whole number from 0; features are numbered from 1, and one that a
line does not name is 0 there.  The lines of a query stand together.  Remarks are dropped.

A large file is read by compiled loops (`large.letor`), which give up at the first thing
they do not know; the reader here is the definition, and the one that knows what to say.
"""

import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.trec import read_lines, refuse, write_lines
from forebear_lab.evaluation.large.sizes import is_large

# The features make a full table, so a number of this size is a mistake and not a feature.
MOST_FEATURES = 100_000
_FORM = "a line `label qid:QUERY number:value ...`"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LetorData:
    """Judged feature vectors, query by query."""

    features: NDArray[np.float64]  # a row a document, a column a feature
    labels: NDArray[np.int64]
    offsets: NDArray[np.int64]  # query q holds the rows offsets[q]:offsets[q + 1]
    query_ids: tuple[str, ...]

    def __post_init__(self) -> None:
        rows = self.features.shape[0] if self.features.ndim == 2 else -1
        if rows != self.labels.size:
            raise InputError(
                f"features of shape {self.features.shape} do not fit {self.labels.size} labels"
            )
        bounds = self.offsets
        fits = bounds.size == len(self.query_ids) + 1 and bounds[0] == 0 and bounds[-1] == rows
        if not fits or (np.diff(bounds) < 0).any():
            raise InputError(
                f"the offsets do not part {rows} rows in {len(self.query_ids)} queries"
            )


def read_letor(path: Path) -> LetorData:
    """Read LETOR data, plain or compressed."""
    if is_large(path):
        from forebear_lab.evaluation.large.letor import read_large_letor  # loads numba

        return read_large_letor(path) or read_letor_by_line(path)
    return read_letor_by_line(path)


def write_letor(data: LetorData, path: Path) -> None:
    """Write LETOR data; features that are 0 are left out, but for the last."""
    for query in data.query_ids:
        if len(query.split()) != 1 or "#" in query:
            raise InputError(f"{query!r} cannot stand in a LETOR file: a name there is one word")
    write_lines(path, _lines(data))


def read_letor_by_line(path: Path) -> LetorData:
    """Read LETOR data line by line."""
    rows = _Rows()
    for number, line in read_lines(path):
        words = line.partition("#")[0].split()
        if words:
            rows.add(words, path, number)
    return rows.joined()


class _Rows:
    """The rows read so far."""

    def __init__(self) -> None:
        self.labels = array("q")
        self.query_ids: dict[str, int] = {}  # each with its first row
        self.sizes = array("q")
        self.numbers = array("q")
        self.values = array("d")
        self._query = ""

    def add(self, words: Sequence[str], path: Path, number: int) -> None:
        """Add the row of one line."""
        self.labels.append(_parse_label(words[0], path, number))
        self._add_query(words, path, number)
        features = dict(_parse_feature(word, path, number) for word in words[2:])
        if len(features) != len(words) - 2:
            refuse(path, number, found=" ".join(words[2:]), wanted="each feature once")
        self.sizes.append(len(features))
        self.numbers.extend(features.keys())
        self.values.extend(features.values())

    def _add_query(self, words: Sequence[str], path: Path, number: int) -> None:
        start, _, query = words[1].partition(":") if len(words) > 1 else ("", "", "")
        if start != "qid" or not query:
            refuse(path, number, found=" ".join(words[:2]), wanted=_FORM)
        if query != self._query and query in self.query_ids:
            wanted = f"the lines of query {query!r} in one place"
            refuse(path, number, found=words[1], wanted=wanted)
        self.query_ids.setdefault(query, len(self.labels) - 1)
        self._query = query

    def joined(self) -> LetorData:
        """Return all rows as one table."""
        numbers = np.array(self.numbers, np.int64)
        features = np.zeros((len(self.labels), int(numbers.max(initial=0))))
        rows = np.repeat(np.arange(len(self.labels)), np.array(self.sizes, np.int64))
        features[rows, numbers - 1] = np.array(self.values, np.float64)
        return LetorData(
            features=features,
            labels=np.array(self.labels, np.int64),
            offsets=np.array([*self.query_ids.values(), len(self.labels)], np.int64),
            query_ids=tuple(self.query_ids),
        )


def _parse_label(text: str, path: Path, number: int) -> int:
    label = _parse_number(text)
    if not label.is_integer() or label < 0:
        refuse(path, number, found=text, wanted="a whole number from 0 as the label")
    return int(label)


def _parse_feature(word: str, path: Path, number: int) -> tuple[int, float]:
    name, _, text = word.partition(":")
    feature = int(name) if name.isascii() and name.isdigit() else 0
    if not 1 <= feature <= MOST_FEATURES:
        wanted = f"a feature `number:value`, the number from 1 to {MOST_FEATURES}"
        refuse(path, number, found=word, wanted=wanted)
    value = _parse_number(text)
    if not math.isfinite(value):
        refuse(path, number, found=word, wanted=f"a finite number as feature {feature}")
    return feature, value


def _parse_number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _lines(data: LetorData) -> Iterator[str]:
    last = data.features.shape[1] - 1
    for query, first, end in zip(data.query_ids, data.offsets, data.offsets[1:], strict=False):
        for row in range(first, end):
            values = data.features[row].tolist()
            words = [
                f"{column + 1}:{value!r}"
                for column, value in enumerate(values)
                if value or column == last  # the last one tells how many there are
            ]
            yield " ".join([str(data.labels[row]), f"qid:{query}", *words])
