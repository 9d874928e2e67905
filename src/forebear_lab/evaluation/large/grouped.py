"""Rows of a file by query: where each query's documents are, whatever order the file has."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from forebear.kernels.ndcg import Integers
from forebear_lab.evaluation.large.text_columns import LeftToLines, Words, match_words


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupedDocuments:
    """Documents by query; query q has the documents ``offsets[q]:offsets[q + 1]``."""

    queries: tuple[str, ...]
    offsets: Integers
    documents: Words
    rows: Integers  # of the file, for each document

    def of(self, queries: Sequence[str]) -> "GroupedDocuments":
        """Return the documents of some queries, in the order in which these are given."""
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


def group_documents(queries: Words, documents: Words) -> GroupedDocuments:
    """Group documents by query, in the order in which queries first come.

    A document that a query has twice is left to the reader by line.
    """
    starts = queries.changes()
    lengths = np.diff(np.append(starts, len(queries)))
    codes, names = queries.take(starts).codes()
    order = np.argsort(codes, kind="stable")
    rows, _ = _gather(starts[order], lengths[order])
    if codes.size != len(names):  # else the rows of each query stand together as it is
        documents = documents.take(rows)
    sizes = np.bincount(codes, weights=lengths, minlength=len(names)).astype(np.int64)
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    nothing = np.zeros(offsets.size, np.int64)
    _, distinct = match_words(documents, offsets, documents.take(nothing[:0]), nothing)
    if distinct != len(documents):
        raise LeftToLines
    return GroupedDocuments(queries=names, offsets=offsets, documents=documents, rows=rows)


def _gather(starts: Integers, lengths: Integers) -> tuple[Integers, Integers]:
    """Return the rows of pieces that begin and last so long, one after the other."""
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    shifts = np.repeat(starts - offsets[:-1], lengths)
    return shifts + np.arange(offsets[-1]), offsets
