"""Which feature vectors do the logged lists of a record type make?

A feature is a clause, a query is one list of a search, and a record is relevant if it was attached.
A list has columns only for the clauses that its query could use, so the columns are brought to
those of the whole catalog: a clause that the query gave no reason for is false throughout.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forebear.interactions.events import JudgedSearch, LoggedList
from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import RankingDataset
from forebear.search.expansion.catalog import load_catalog


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedList:
    """One list of a judged search."""

    search: JudgedSearch
    shown: LoggedList

    @property
    def id(self) -> str:
        """Return a name that no other list has."""
        return f"{self.search.search.id}/{self.shown.name}"

    @property
    def labels(self) -> NDArray[np.bool_]:
        """Return for each record whether it was attached."""
        attached = self.search.attached
        return np.array([record in attached for record in self.shown.records], dtype=np.bool_)


def lists_of_type(judged: Sequence[JudgedSearch], record_type: str) -> list[JudgedList]:
    """Return the lists of a record type that have records."""
    return [
        JudgedList(search=search, shown=shown)
        for search in judged
        for shown in search.search.lists
        if shown.record_type == record_type and shown.records
    ]


def clause_dataset(
    record_type: str, lists: Sequence[JudgedList], *, weights: Floats | None = None
) -> RankingDataset:
    """Return the clause bits of lists of one record type, with a column for each of its clauses."""
    names = [row.clause for row in load_catalog()[record_type]]
    return RankingDataset.from_queries(
        names,
        [(one.id, _columns(one.shown, names), one.labels) for one in lists],
        weights=weights,
    )


def _columns(shown: LoggedList, names: Sequence[str]) -> NDArray[np.bool_]:
    """Return a list's bits with one column for each clause of the catalog, used or not."""
    column_of = {clause: column for column, clause in enumerate(shown.clauses)}
    bits = np.zeros((len(shown.records), len(names)), dtype=np.bool_)
    for column, name in enumerate(names):
        if name in column_of:
            bits[:, column] = shown.bits[:, column_of[name]]
    return bits
