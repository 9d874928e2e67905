"""How are judged feature vectors and linear models read and written as text?

Feature vectors have the form of LETOR, SVMlight and RankLib:

    label qid:QUERY number:value number:value ... # remark

The label is a grade, a whole number from 0; features are numbered from 1, and one that a line
does not name is 0 there.  The lines of a query are consecutive.  Remarks are ignored.  LightGBM's
lines have no qid: a file beside them says how many lines each query has (`query_sizes.py`).

A large file is read by compiled loops, which stop at the first thing they do not support; the
reader by line is the definition, and the one that reports errors.

Linear models have the form of RankLib, which learning-to-rank plugins load too:

    ## Coordinate Ascent
    ## Restart = 5
    1:0.25 2:-0.5 3:0.25

The first line names the learner, further lines after `##` its settings, and the last holds the
weights by feature number.  A document's score is the weighted sum of its features (plus the
weight of feature 0, which linear regression has as its constant).
"""

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.trec import read_lines, refuse, write_lines
from forebear_lab.evaluation.files import is_large
from forebear_lab.evaluation.query_sizes import read_query_sizes, sizes_file

# The features make a full table, so a larger number is a mistake and not a feature.
MAX_FEATURES = 100_000
LEARNERS = ("Coordinate Ascent", "Linear Regression")  # those that end in one linear function
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
                f"the offsets do not divide {rows} rows into {len(self.query_ids)} queries"
            )


def read_letor(path: Path) -> LetorData:
    """Read LETOR data, plain or compressed, or LightGBM's with its file of query sizes."""
    is_fast = is_large(path) and sizes_file(path) is None
    return (read_large_letor(path) if is_fast else None) or read_letor_by_line(path)


def write_letor(data: LetorData, path: Path) -> None:
    """Write LETOR data; features that are 0 are omitted, except the last."""
    for query in data.query_ids:
        if len(query.split()) != 1 or "#" in query:
            raise InputError(f"{query!r} cannot be in a LETOR file: a name there is one word")
    write_lines(path, _lines(data))


def read_letor_by_line(path: Path) -> LetorData:
    """Read LETOR data line by line."""
    rows, sizes = _Rows(), read_query_sizes(path)
    for number, line in read_lines(path):
        words = line.partition("#")[0].split()
        if words:
            rows.add(sizes.with_query(words, path, number) if sizes else words, path, number)
    if sizes:
        sizes.check_complete(path)
    return rows.joined()


def read_large_letor(path: Path) -> LetorData | None:
    """Read LETOR data by compiled loops; None if the file needs the reader by line."""
    from forebear_lab.evaluation.large_files import UnsupportedFormat, Words, read_plain
    from forebear_lab.kernels.text import letor_table, letor_width  # loads numba

    try:
        data = np.frombuffer(read_plain(path), np.uint8)
    except UnsupportedFormat:
        return None
    rows, width = letor_width(data, MAX_FEATURES)
    if rows < 0:
        return None
    features = np.zeros((rows, width))
    labels, bounds, complete = letor_table(data, features)
    if not complete:
        return None
    queries = Words(data=data, bounds=bounds)
    starts = queries.changes()
    codes, names = queries.take(starts).codes()
    if codes.size != len(names):
        return None  # the lines of a query are not consecutive
    return LetorData(
        features=features, labels=labels, offsets=np.append(starts, rows), query_ids=names
    )


class _Rows:
    """The rows read so far."""

    def __init__(self) -> None:
        self.labels = array("q")
        self.query_ids: dict[str, int] = {}  # with the first row of each query
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
            refuse(path, number, actual=" ".join(words[2:]), expected="each feature once")
        self.sizes.append(len(features))
        self.numbers.extend(features.keys())
        self.values.extend(features.values())

    def _add_query(self, words: Sequence[str], path: Path, number: int) -> None:
        start, _, query = words[1].partition(":") if len(words) > 1 else ("", "", "")
        if start != "qid" or not query:
            hint = f"LightGBM's lines have no qid and need the file {path.name}.query beside them"
            refuse(path, number, actual=" ".join(words[:2]), expected=_FORM, hint=hint)
        if query != self._query and query in self.query_ids:
            expected = f"the lines of query {query!r} in one place"
            refuse(path, number, actual=words[1], expected=expected)
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
        refuse(path, number, actual=text, expected="a whole number from 0 as the label")
    return int(label)


def _parse_feature(word: str, path: Path, number: int) -> tuple[int, float]:
    name, _, text = word.partition(":")
    feature = int(name) if name.isascii() and name.isdigit() else 0
    if not 1 <= feature <= MAX_FEATURES:
        expected = f"a feature `number:value`, the number from 1 to {MAX_FEATURES}"
        hint = "count from 1: scikit-learn writes so with zero_based=False" if name == "0" else None
        refuse(path, number, actual=word, expected=expected, hint=hint)
    value = _parse_number(text)
    if not math.isfinite(value):
        refuse(path, number, actual=word, expected=f"a finite number as feature {feature}")
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
                if value or column == last  # the last one shows how many there are
            ]
            yield " ".join([str(data.labels[row]), f"qid:{query}", *words])


@dataclass(frozen=True, slots=True, kw_only=True)
class RanklibModel:
    """Weights by feature number, and the settings in the file."""

    weights: Mapping[int, float]
    learner: str = "Coordinate Ascent"
    settings: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.learner not in LEARNERS:
            learners = " or ".join(repr(name) for name in LEARNERS)
            raise InputError(f"no linear model comes from {self.learner!r}, but from {learners}")
        if not self.weights:
            raise InputError("a linear model without weights ranks nothing")
        for number, weight in self.weights.items():
            if number < 0 or not math.isfinite(weight):
                raise InputError(f"weight {weight} of feature {number} cannot be in a model")

    def score(self, features: Mapping[int, float]) -> float:
        """Return the score of a document, given its features by number.

        >>> RanklibModel(weights={1: 0.5, 3: -0.25}).score({1: 1.0, 2: 9.0, 3: 2.0})
        0.0
        """
        parts = (weight * features.get(number, 0.0) for number, weight in self.weights.items())
        return self.weights.get(0, 0.0) + math.fsum(parts)


def read_ranklib_model(path: Path) -> RanklibModel:
    """Read a linear RankLib model."""
    learner, settings = "", {}
    for number, line in read_lines(path):
        text = line.strip()
        if not learner:
            learner = text.removeprefix("##").strip()
            if not text.startswith("##") or learner not in LEARNERS:
                expected = f"`## {LEARNERS[0]}` as the first line of a linear RankLib model"
                refuse(path, number, actual=text, expected=expected)
        elif text.startswith("##"):
            name, _, value = text.removeprefix("##").partition("=")
            settings[name.strip()] = value.strip()
        elif text:
            weights = _parse_weights(text, path, number)
            return RanklibModel(weights=weights, learner=learner, settings=settings)
    raise InputError(f"{path}: expected a line of weights `1:weight 2:weight ...`; found none")


def write_ranklib_model(model: RanklibModel, path: Path) -> None:
    """Write a linear RankLib model."""
    settings = [f"## {name} = {value}" for name, value in model.settings.items()]
    weights = (f"{number}:{weight!r}" for number, weight in sorted(model.weights.items()))
    write_lines(path, [f"## {model.learner}", *settings, " ".join(weights)])


def _parse_weights(text: str, path: Path, number: int) -> dict[int, float]:
    weights: dict[int, float] = {}
    for word in text.partition("#")[0].split():
        name, _, value = word.partition(":")
        try:
            feature, weight = int(name), float(value)
        except ValueError:
            feature, weight = -1, math.nan
        if feature < 0 or feature in weights or not math.isfinite(weight):
            refuse(path, number, actual=word, expected="each feature once as `number:weight`")
        weights[feature] = weight
    return weights
