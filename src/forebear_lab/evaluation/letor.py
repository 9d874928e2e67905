"""How are judged feature vectors and linear models read and written as text?

Feature vectors have the form of LETOR, SVMlight and RankLib:

    label qid:QUERY number:value number:value ... # remark

The label is a grade, a whole number from 0; features are numbered from 1, and one that a line
does not name is 0 there. The lines of a query are consecutive. A large file is read by compiled
loops, which stop at the first thing they do not support; the reader by line is the definition, and
the one that reports errors.

LightGBM's lines have no qid. LightGBM reads `rank.train` together with `rank.train.query`, XGBoost
with `rank.train.group`: one whole number a line, the number of lines of the first query, of the
second, and so on. The queries have no names there, so they are numbered from 1.

A run and judgments need names of documents; learning ignores them. LETOR 3 and 4 end a line with
`#docid = GX004-93-7097963 inc = 1 prob = 0.24`, others with `# GX004-93-7097963`. Where no remark
names a document, the documents of query 7 are `7.1`, `7.2`, and so on, in the order of their lines.

Linear models have the form of RankLib, which learning-to-rank plugins load too:

    ## Coordinate Ascent
    ## Restart = 5
    1:0.25 2:-0.5 3:0.25

The first line names the learner, further lines after `##` its settings, and the last holds the
weights by feature number. A document's score is the weighted sum of its features (plus the weight
of feature 0, which linear regression has as its constant).
"""

import math
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.trec import read_lines, refuse, write_lines
from forebear_lab.evaluation.files import is_large

# The features make a full table, so a larger number is a mistake and not a feature.
MAX_FEATURES = 100_000
LEARNERS = ("Coordinate Ascent", "Linear Regression")  # those that end in one linear function
_FORM = "a line `label qid:QUERY number:value ...`"
SIZES_SUFFIXES = (".query", ".group")
_DOCUMENT = re.compile(r"\bdocid\s*=\s*(\S+)|^\s*(\S+)\s*$")


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


def sizes_file(path: Path) -> Path | None:
    """Return the file of query sizes beside a file, if there is one."""
    names = (str(path), str(path).removesuffix(".gz"))
    beside = (Path(name + suffix) for name in names for suffix in SIZES_SUFFIXES)
    return next((file for file in beside if file.is_file()), None)


def read_query_sizes(path: Path) -> "QuerySizes | None":
    """Read how many lines each query of a file has; None if no file has the sizes."""
    file = sizes_file(path)
    if file is None:
        return None
    sizes = []
    for number, line in read_lines(file):
        text = line.strip()
        if text and not (text.isascii() and text.isdigit() and int(text) > 0):
            refuse(file, number, actual=text, expected="the number of lines of a query, from 1")
        if text:
            sizes.append(int(text))
    return QuerySizes(file, sizes)


class QuerySizes:
    """Gives the lines of a file their queries, in their order."""

    def __init__(self, file: Path, sizes: Sequence[int]) -> None:
        self._file = file
        self._sizes = sizes
        self._query = 0  # of the last line, from 1
        self._left = 0  # lines that its query still has
        self._lines = 0

    def with_query(self, words: Sequence[str], path: Path, number: int) -> list[str]:
        """Return the words of the next line with the number of its query as `qid`."""
        if any(word.startswith("qid:") for word in words[1:2]):
            refuse(
                path,
                number,
                actual=words[1],
                expected=f"no qid, because {self._file.name} says which lines are a query",
                hint=f"remove the qids, or {self._file}",
            )
        if not self._left:
            self._begin_query(words, path, number)
        self._left -= 1
        self._lines += 1
        return [words[0], f"qid:{self._query}", *words[1:]]

    def check_complete(self, path: Path) -> None:
        """Refuse sizes that add up to more lines than were read."""
        if self._lines != sum(self._sizes):
            raise InputError(
                f"{self._file} counts {sum(self._sizes):,} lines, but {path} has {self._lines:,}",
                hint="the two files must be of the same data",
            )

    def _begin_query(self, words: Sequence[str], path: Path, number: int) -> None:
        if self._query == len(self._sizes):
            expected = f"{sum(self._sizes):,} lines, as {self._file} counts"
            refuse(path, number, actual=" ".join(words[:2]), expected=expected)
        self._left = self._sizes[self._query]
        self._query += 1


def numbered_documents(
    query_ids: Sequence[str], offsets: NDArray[np.int64]
) -> tuple[tuple[str, ...], ...]:
    """Return names for the documents of each query, by their number.

    >>> numbered_documents(["q1", "q2"], np.array([0, 2, 3]))
    (('q1.1', 'q1.2'), ('q2.1',))
    """
    sizes = np.diff(offsets).tolist()
    return tuple(
        tuple(f"{query}.{number}" for number in range(1, size + 1))
        for query, size in zip(query_ids, sizes, strict=True)
    )


def read_documents(
    path: Path, query_ids: Sequence[str], offsets: NDArray[np.int64]
) -> tuple[tuple[str, ...], ...]:
    """Read the names of the documents of each query from the remarks of a LETOR file.

    The queries are those that the file was read into.  A name that a query has twice is refused.
    """
    remarks = _read_remarks(path)
    names = []
    for query, numbered in enumerate(numbered_documents(query_ids, offsets)):
        lines = remarks[offsets[query] : offsets[query + 1]]
        documents: dict[str, int] = {}
        for name, (line, remark) in zip(numbered, lines, strict=True):
            document = document_name(remark) or name
            if document in documents:
                refuse(
                    path,
                    line,
                    actual=document,
                    expected=f"another document than in line {documents[document]} of the query",
                    hint="the remark after # names the document; remove it if it says other things",
                )
            documents[document] = line
        names.append(tuple(documents))
    return tuple(names)


def document_name(remark: str) -> str:
    """Return the document that a remark names; "" if it names none.

    >>> document_name("docid = GX004-93-7097963 inc = 1 prob = 0.24")
    'GX004-93-7097963'
    >>> document_name("taken from the first page")
    ''
    """
    match = _DOCUMENT.search(remark)
    return (match[1] or match[2]) if match else ""


def _read_remarks(path: Path) -> list[tuple[int, str]]:
    """Return the number and the remark of each line that has a vector."""
    parts = ((number, line.partition("#")) for number, line in read_lines(path))
    return [(number, remark) for number, (data, _, remark) in parts if data.strip()]
