"""Judgments: for each query, which documents are relevant, and how much.

The file is TREC's qrels, one judgment a line:

    query iteration document grade

A grade above 0 is relevant; a negative one means the same as no judgment, as in trec_eval.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from forebear.errors import InputError
from forebear.evaluation.lines import read_rows, refuse, write_lines

COLUMNS = "query iteration document grade"


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
    for number, (query, _, document, grade) in read_rows(path, columns=COLUMNS):
        judged = grades.setdefault(query, {})
        if document in judged:
            wanted = f"each document judged once for query {query!r}"
            refuse(path, number, found=document, wanted=wanted)
        judged[document] = parse_grade(grade, path, number)
    return Qrels(grades=grades)


def write_qrels(qrels: Qrels, path: Path) -> None:
    """Write TREC judgments."""
    for word in {*qrels.grades, *(name for judged in qrels.grades.values() for name in judged)}:
        if len(word.split()) != 1:
            raise InputError(f"{word!r} cannot stand in a qrels file: a name there is one word")
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
        refuse(path, number, found=text, wanted="a whole number as the grade")
