"""A list to be fused from a large TREC run: the twin of reading it line by line."""

from pathlib import Path

import numpy as np

from forebear.trec import Qrels
from forebear_lab.evaluation.large_files import (
    UnsupportedFormat,
    match_words,
    read_qrels_columns,
    read_run_columns,
)
from forebear_lab.learning.judged_list import JudgedList


def read_large_list(path: Path, qrels: Path, judged: Qrels) -> JudgedList | None:
    """Read a list; None if a file holds something that only the reader by line knows.

    ``judged`` says which queries there are, with their relevant documents.
    """
    try:
        run, judgments = read_run_columns(path), read_qrels_columns(qrels)
    except UnsupportedFormat:
        return None
    answered = set(run.documents.queries)
    queries = [query for query in judged.grades if query in answered]
    found, marked = run.documents.of(queries), judgments.documents.of(queries)
    matches, _ = match_words(found.documents, found.offsets, marked.documents, marked.offsets)
    grades = np.maximum(judgments.grades[marked.rows], 0)
    relevant = np.flatnonzero((matches >= 0) & (grades > 0))
    labels = np.zeros(found.rows.size, np.int64)
    labels[matches[relevant]] = grades[relevant]
    sizes = np.zeros(len(judged.grades), np.int64)
    lengths = np.diff(found.offsets)
    sizes[[number for number, query in enumerate(judged.grades) if query in answered]] = lengths
    scores = run.scores[found.rows]
    best_first = np.lexsort((-scores, np.repeat(np.arange(len(queries)), lengths)))
    owners = np.searchsorted(marked.offsets, relevant, side="right") - 1
    return JudgedList(
        sizes=sizes,
        scores=scores[best_first],
        labels=labels[best_first],
        relevant=frozenset(
            (queries[owner], marked.documents.text(row))
            for owner, row in zip(owners.tolist(), relevant.tolist(), strict=True)
        ),
    )
