"""Judgments by subtopic: for which of a query's meanings is a document relevant?

The file is that of TREC's diversity tasks, one judgment a line:

    query subtopic document grade

A document may be judged for any number of subtopics.  Where a measure asks for one grade,
it is the document's best.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from forebear.errors import InputError
from forebear.trec import Qrels, parse_grade, read_rows, refuse, write_lines

COLUMNS = "query subtopic document grade"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiversityQrels:
    """What was judged, by query, document and subtopic."""

    grades: Mapping[str, Mapping[str, Mapping[str, int]]]

    def overall(self) -> Qrels:
        """Return the best grade of each document."""
        return Qrels(
            grades={
                query: {document: max(by_topic.values()) for document, by_topic in judged.items()}
                for query, judged in self.grades.items()
            }
        )


def read_diversity_qrels(path: Path) -> DiversityQrels:
    """Read judgments by subtopic; a document judged twice for a subtopic is refused."""
    grades: dict[str, dict[str, dict[str, int]]] = {}
    for number, (query, subtopic, document, grade) in read_rows(path, columns=COLUMNS):
        judged = grades.setdefault(query, {}).setdefault(document, {})
        if subtopic in judged:
            wanted = f"each document judged once for subtopic {subtopic!r} of query {query!r}"
            refuse(path, number, found=document, wanted=wanted)
        judged[subtopic] = parse_grade(grade, path, number)
    return DiversityQrels(grades=grades)


def write_diversity_qrels(qrels: DiversityQrels, path: Path) -> None:
    """Write judgments by subtopic."""
    rows = [
        (query, subtopic, document, grade)
        for query, judged in qrels.grades.items()
        for document, by_topic in judged.items()
        for subtopic, grade in by_topic.items()
    ]
    for word in {word for row in rows for word in row[:3]}:
        if len(word.split()) != 1:
            raise InputError(f"{word!r} cannot stand in a qrels file: a name there is one word")
    write_lines(path, (" ".join(map(str, row)) for row in rows))
