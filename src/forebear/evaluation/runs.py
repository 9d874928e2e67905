"""A run: for each query, the documents a system found, with their scores.

The file is TREC's, one document a line:

    query Q0 document rank score tag

As trec_eval does, we rank by score alone and ignore the rank column; where scores are
equal the document whose name sorts later comes first.  That is what a run file *means*,
whichever order its lines have.  `ties="given"` keeps the order of the lines instead.
(trec_eval keeps scores in single precision: two that differ beyond some seven digits are
equal there.  Here they are not.)
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Literal

from forebear.errors import InputError
from forebear.evaluation.lines import read_rows, refuse, write_lines

Order = Literal["docno", "given"]  # of documents with equal scores

COLUMNS = "query Q0 document rank score tag"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a system found, by query and document."""

    scores: Mapping[str, Mapping[str, float]]
    tag: str = "forebear"

    def ranked(self, query: str, *, ties: Order = "docno") -> list[str]:
        """Return the query's documents, best first; none if the run lacks the query."""
        found = self.scores.get(query, {}).items()
        if ties == "docno":
            ordered = sorted(found, key=itemgetter(1, 0), reverse=True)
        else:
            ordered = sorted(found, key=itemgetter(1), reverse=True)  # stable in reverse, too
        return [document for document, _ in ordered]


def read_run(path: Path) -> Run:
    """Read a TREC run; a document that a query has twice is refused."""
    scores: dict[str, dict[str, float]] = {}
    tag = ""
    for number, row in read_rows(path, columns=COLUMNS):
        query, _, document, _, score, tag = row
        found = scores.setdefault(query, {})
        if document in found:
            wanted = f"each document once for query {query!r}"
            refuse(path, number, found=document, wanted=wanted)
        found[document] = _parse_score(score, path, number)
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
        refuse(path, number, found=text, wanted="a finite number as the score")
    return score


def _check_words(run: Run) -> None:
    documents = (document for found in run.scores.values() for document in found)
    for word in (run.tag, *run.scores, *documents):
        if len(word.split()) != 1:
            raise InputError(f"{word!r} cannot stand in a run file: a name there is one word")
