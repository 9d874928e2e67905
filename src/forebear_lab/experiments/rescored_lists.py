"""How do many models rank the same logged searches?  All lists as one matrix, scored by each.

A row is a record of a logged list, a column a clause of a record type.  A model's scores are one
product of this matrix with its weights; then each list is moved, and the records of a search are
ordered, as `forebear.search.fusion` does, equal scores by key.  What `judge_model` of
`forebear.learning` says of one model is said here of hundreds in the same time.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, csr_matrix, hstack

from forebear.interactions.events import LoggedList
from forebear.kernels.ndcg import Floats, Integers, ideal_dcgs, summed_discounts
from forebear.learning.measures import nce_of_arrays, ndcg_of_arrays
from forebear.search.fusion import list_shift, stated_facts
from forebear.search.model import UNITS_PER_BIT, Model
from forebear.search.query.person_query import parse_query
from forebear_lab.experiments.loop_searches import KnownSearch

CUTOFF = 100
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranked:
    """Measures of a model, one number for each search."""

    ndcg: Floats
    nce: Floats
    success_1: Floats  # whether the first record is right
    success_10: Floats  # whether one of the first ten is

    def minus(self, other: "Ranked") -> "Ranked":
        """Return the differences to another model, search by search."""
        names = [one.name for one in fields(self)]
        return Ranked(**{name: getattr(self, name) - getattr(other, name) for name in names})

    def means(self) -> dict[str, float]:
        """Return the mean of each measure."""
        return {one.name: float(getattr(self, one.name).mean()) for one in fields(self)}


class RescoredLists:
    """The logged lists of searches whose right records are known."""

    def __init__(self, searches: Sequence[KnownSearch]) -> None:
        self.searches = tuple(searches)
        lists = [
            (number, shown)
            for number, one in enumerate(searches)
            for shown in one.search.lists
            if shown.records
        ]
        facts = [stated_facts(parse_query(one.search.query)) for one in searches]
        self._cells = [(shown.name, shown.record_type, facts[number]) for number, shown in lists]
        sizes = np.array([len(shown.records) for _, shown in lists], np.int64)
        self._cell_of_row = np.repeat(np.arange(len(lists)), sizes)
        self._columns: dict[tuple[str, str], int] = {}
        self._fired = self._matrix([shown for _, shown in lists])
        self.query = np.repeat(np.array([n for n, _ in lists], np.int64), sizes)
        self.records = np.array([key for _, shown in lists for key in shown.records], object)
        self._key_rank = np.argsort(np.argsort(self.records, kind="stable"), kind="stable")
        names = sorted({shown.name for one in searches for shown in one.search.lists})
        self.list_names = tuple(names)
        number_of = {name: number for number, name in enumerate(names)}
        self.list_of_row = np.repeat(
            np.array([number_of[shown.name] for _, shown in lists], np.int64), sizes
        )
        self.right = self.mark([one.right for one in searches])
        self.offsets = np.searchsorted(self.query, np.arange(len(searches) + 1))
        self._rights = np.array([len(one.right) for one in searches], np.int64)

    @property
    def clauses(self) -> tuple[tuple[str, str], ...]:
        """Return the record type and name of each clause that a list could use."""
        return tuple(self._columns)

    def features(self, clauses: Sequence[tuple[str, str]], model: Model) -> csr_matrix:
        """Return these clauses of each record, which list it is in, and its score in bits."""
        places = [
            (self._columns[one], at) for at, one in enumerate(clauses) if one in self._columns
        ]
        sources, targets = np.array(places, np.int64).reshape(-1, 2).T
        shape = (len(self._columns), len(clauses))
        moved = csr_array((np.ones(sources.size), (sources, targets)), shape=shape)
        lists = csr_array(
            (np.ones(self.right.size), (np.arange(self.right.size), self.list_of_row)),
            shape=(self.right.size, len(self.list_names)),
        )
        scores = csr_array((self.scores(model) / UNITS_PER_BIT).reshape(-1, 1))
        return csr_matrix(hstack([self._fired @ moved, lists, scores]))

    def mark(self, chosen: Sequence[Collection[str]]) -> Bools:
        """Return which rows are among the records chosen of their search."""
        pairs = zip(self.query.tolist(), self.records.tolist(), strict=True)
        return np.array([record in chosen[number] for number, record in pairs], np.bool_)

    def scores(self, model: Model) -> Integers:
        """Return the fused score of every record, in 64ths of a bit."""
        weights = np.array([model.weight(*names) for names in self._columns], np.float64)
        raw = np.rint(self._fired @ weights).astype(np.int64)
        moves = [list_shift(model, *cell) for cell in self._cells]
        shifts = np.array([m.shift + sum(bits for _, bits in m.conditions) for m in moves])
        slopes = np.array([move.slope for move in moves])[self._cell_of_row]
        sloped = (2 * raw * slopes + UNITS_PER_BIT) // (2 * UNITS_PER_BIT)
        scores: Integers = sloped + shifts[self._cell_of_row]
        return scores

    def order(self, scores: Integers | Floats) -> Integers:
        """Return the rows of all searches, one search after the other, the best first."""
        return np.lexsort((-self._key_rank, -scores, self.query))

    def shown(self, model: Model) -> list[tuple[str, ...]]:
        """Return the fused list of each search."""
        records = self.records[self.order(self.scores(model))]
        bounds = zip(self.offsets[:-1], self.offsets[1:], strict=True)
        return [tuple(records[first:last]) for first, last in bounds]

    def rank(self, model: Model) -> Ranked:
        """Return the measures of a model."""
        return self.measure(self.scores(model))

    def measure(self, scores: Integers | Floats, *, only: Bools | None = None) -> Ranked:
        """Return the measures of any scores; with ``only``, those records alone are right.

        A search without such a record counts as not a number.
        """
        rows = self.order(scores)
        right = self.right if only is None else self.right & only
        counts = self._rights if only is None else _by_search(right, self.query, self._rights.size)
        best = ideal_dcgs(
            np.ones(int(counts.sum())),
            np.concatenate([[0], np.cumsum(counts)]),
            summed_discounts(int(counts.max()), cutoff=CUTOFF),
        )
        sizes = np.diff(self.offsets)
        place = np.arange(rows.size) - np.repeat(self.offsets[:-1], sizes)
        ndcg = ndcg_of_arrays(
            -place.astype(np.float64), right[rows], self.offsets, cutoff=CUTOFF, ideals=best
        )
        nce = nce_of_arrays(
            self.list_of_row[rows],
            self.offsets,
            cutoff=CUTOFF,
            type_count=len(self.list_names) or 1,
        )
        first = np.full(sizes.size, np.iinfo(np.int64).max)
        is_right = right[rows]
        np.minimum.at(first, self.query[rows][is_right], place[is_right])
        judged = np.where(counts > 0, 1.0, np.nan)
        return Ranked(
            ndcg=ndcg * judged,
            nce=nce,
            success_1=np.where(first < 1, judged, 0 * judged),
            success_10=np.where(first < 10, judged, 0 * judged),
        )

    def _matrix(self, lists: Sequence[LoggedList]) -> csr_array:
        indices, ends = [], [np.zeros(1, np.int64)]
        for shown in lists:
            names = [(shown.record_type, clause) for clause in shown.clauses]
            columns = np.array(
                [self._columns.setdefault(name, len(self._columns)) for name in names], np.int64
            )
            rows, places = np.nonzero(shown.bits)
            indices.append(columns[places])
            ends.append(np.bincount(rows, minlength=len(shown.records)))
        entries = np.concatenate(indices) if indices else np.zeros(0, np.int64)
        bounds = np.cumsum(np.concatenate(ends))
        shape = (bounds.size - 1, len(self._columns))
        return csr_array((np.ones(entries.size), entries, bounds), shape=shape)


def _by_search(rows: Bools, query: Integers, searches: int) -> Integers:
    return np.bincount(query[rows], minlength=searches)
