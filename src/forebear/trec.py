"""TREC files: the runs and judgments that `search --batch` and `attach --batch` exchange.

A **run** has one document a line; a query's documents are ranked by score alone:

    query Q0 document rank score tag

As in trec_eval, the rank column is ignored, and of two documents with equal scores the one
whose name sorts later comes first, whatever the order of the lines (``ties="given"`` keeps
that order instead).  trec_eval holds scores in single precision, so it also treats scores that
differ beyond about seven digits as equal; this module does not.

**Judgments** (qrels) have one judged document a line:

    query iteration document grade

A grade above 0 is relevant; a negative grade means the same as no judgment, as in trec_eval.

Files may be compressed with gzip: reading goes by the first two bytes, writing by the name.
Whatever cannot be read raises an `InputError` that names the file and the line.
"""

import gzip
import math
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import BinaryIO, Literal, NoReturn, cast

from forebear.errors import InputError

Order = Literal["docno", "given"]  # of documents with equal scores

GZIP_START = b"\x1f\x8b"
RUN_COLUMNS = "query Q0 document rank score tag"
QRELS_COLUMNS = "query iteration document grade"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The scores of a system, by query and document."""

    scores: Mapping[str, Mapping[str, float]]
    tag: str = "forebear"

    def ranked(self, query: str, *, ties: Order = "docno") -> list[str]:
        """Return the query's documents, best first; none if the run lacks the query."""
        scores = self.scores.get(query, {}).items()
        if ties == "docno":
            ordered = sorted(scores, key=itemgetter(1, 0), reverse=True)
        else:
            ordered = sorted(scores, key=itemgetter(1), reverse=True)  # stable in reverse, too
        return [document for document, _ in ordered]


def read_run(path: Path) -> Run:
    """Read a TREC run; a document that a query has twice is refused."""
    scores: dict[str, dict[str, float]] = {}
    tag = ""
    for number, row in read_rows(path, columns=RUN_COLUMNS):
        query, _, document, _, score, tag = row
        of_query = scores.setdefault(query, {})
        if document in of_query:
            expected = f"each document once for query {query!r}"
            refuse(path, number, actual=document, expected=expected)
        of_query[document] = _parse_score(score, path, number)
    return Run(scores=scores, tag=tag)


def write_run(run: Run, path: Path, *, ties: Order = "docno") -> None:
    """Write a TREC run, each query's documents in ranked order."""
    _check_words(run)
    write_lines(
        path,
        (
            f"{query} Q0 {document} {rank} {run.scores[query][document]!r} {run.tag}"
            for query in run.scores
            for rank, document in enumerate(run.ranked(query, ties=ties), start=1)
        ),
    )


def _parse_score(text: str, path: Path, number: int) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        refuse(path, number, actual=text, expected="a finite number as the score")
    return score


def _check_words(run: Run) -> None:
    documents = (document for scores in run.scores.values() for document in scores)
    for word in (run.tag, *run.scores, *documents):
        if len(word.split()) != 1:
            raise InputError(f"{word!r} cannot be in a run file: a name there is one word")


@dataclass(frozen=True, slots=True, kw_only=True)
class Qrels:
    """What was judged, by query and document."""

    grades: Mapping[str, Mapping[str, int]]

    def gain(self, query: str, document: str) -> int:
        """Return the document's grade; 0 if it is irrelevant or was not judged."""
        return max(0, self.grades.get(query, {}).get(document, 0))


def read_qrels(path: Path) -> Qrels:
    """Read TREC judgments; a document that is judged twice for a query is refused."""
    grades: dict[str, dict[str, int]] = {}
    for number, (query, _, document, grade) in read_rows(path, columns=QRELS_COLUMNS):
        judged = grades.setdefault(query, {})
        if document in judged:
            expected = f"each document judged once for query {query!r}"
            refuse(path, number, actual=document, expected=expected)
        judged[document] = parse_grade(grade, path, number)
    return Qrels(grades=grades)


def write_qrels(qrels: Qrels, path: Path) -> None:
    """Write TREC judgments."""
    for word in {*qrels.grades, *(name for judged in qrels.grades.values() for name in judged)}:
        if len(word.split()) != 1:
            raise InputError(f"{word!r} cannot be in a qrels file: a name there is one word")
    write_lines(
        path,
        (
            f"{query} 0 {document} {grade}"
            for query, judged in qrels.grades.items()
            for document, grade in judged.items()
        ),
    )


def parse_grade(text: str, path: Path, number: int) -> int:
    """Return the grade that a word of a file means."""
    try:
        return int(text)
    except ValueError:
        refuse(path, number, actual=text, expected="a whole number as the grade")


def read_rows(path: Path, *, columns: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each line's number and its words, which must be as many as ``columns`` names.

    Blank lines are skipped.  ``columns`` is written as the error shows it.
    """
    count = len(columns.split())
    for number, line in read_lines(path):
        words = line.split()
        if words and len(words) != count:
            refuse(path, number, actual=line.strip(), expected=f"{count} columns: {columns}")
        if words:
            yield number, words


def refuse(
    path: Path, number: int, *, actual: str, expected: str, hint: str | None = None
) -> NoReturn:
    """Raise the error for a line that is not what it should be."""
    raise InputError(f"{path}, line {number}: expected {expected}; found {actual!r}", hint=hint)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write the lines to a file, compressed if its name ends in ``.gz``."""
    content = "".join(f"{line}\n" for line in lines).encode()
    if path.suffix == ".gz":
        content = gzip.compress(content, mtime=0)  # no clock: equal runs are equal files
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each line with its number, from 1."""
    number = 0
    try:
        with _open(path) as file:
            for number, line in enumerate(file, start=1):
                yield number, line.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}, line {number}: not UTF-8 text") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{path} is a damaged gzip file, after line {number}") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def _open(path: Path) -> BinaryIO:
    with path.open("rb") as file:
        compressed = file.read(len(GZIP_START)) == GZIP_START
    return cast(BinaryIO, gzip.open(path)) if compressed else path.open("rb")
