"""What is learned from: judged lists of one record type, and judged lists to be fused.

Both are flat arrays with bounds, because that is what the inner loops read; neither knows
what a record is.  Labels are grades: 0 is irrelevant, anything above relevant.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from forebear.errors import InputError
from forebear.learning.flat_arrays import (
    bounds,
    check_labels,
    check_names,
    check_offsets,
    check_pair,
    check_types,
    no_labels,
    records_of,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankingDataset:
    """Judged lists of one kind: which features each record has, and its label."""

    features: NDArray[np.bool_]  # a row a record, a column a feature
    labels: NDArray[np.int64]
    offsets: NDArray[np.int64]  # query q holds the records offsets[q]:offsets[q + 1]
    feature_names: tuple[str, ...]
    query_ids: tuple[str, ...]

    def __post_init__(self) -> None:
        check_types(features=(self.features, np.bool_), labels=(self.labels, np.int64))
        if self.features.shape != (self.labels.size, len(self.feature_names)):
            raise InputError(
                f"features of shape {self.features.shape} do not fit {self.labels.size} labels "
                f"and {len(self.feature_names)} feature names"
            )
        check_names(self.feature_names, "feature")
        check_names(self.query_ids, "query")
        check_offsets(self.offsets, cells=len(self.query_ids), records=self.labels.size)
        check_labels(self.labels)

    @classmethod
    def from_queries(
        cls, feature_names: Sequence[str], queries: Iterable[tuple[str, ArrayLike, ArrayLike]]
    ) -> Self:
        """Join queries, each given as its id, its records' features and their labels."""
        ids, features, labels = [], [np.zeros((0, len(feature_names)), bool)], [no_labels()]
        for query_id, rows, grades in queries:
            ids.append(query_id)
            features.append(np.asarray(rows, bool).reshape(-1, len(feature_names)))
            labels.append(np.asarray(grades, np.int64))
            check_pair(query_id, features[-1].shape[0], labels[-1].size)
        return cls(
            features=np.concatenate(features),
            labels=np.concatenate(labels),
            offsets=bounds([part.size for part in labels[1:]]),
            feature_names=tuple(feature_names),
            query_ids=tuple(ids),
        )

    def take(self, queries: Sequence[int] | NDArray[np.int64]) -> Self:
        """Return the dataset of these queries only, given by number."""
        rows, offsets = records_of(self.offsets, np.asarray(queries, np.int64))
        return type(self)(
            features=self.features[rows],
            labels=self.labels[rows],
            offsets=offsets,
            feature_names=self.feature_names,
            query_ids=tuple(self.query_ids[query] for query in queries),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FusionDataset:
    """Judged lists of many kinds, disjoint and scored, one of each kind for each query."""

    scores: NDArray[np.float64]  # bits, of any sign; never increasing within a list
    labels: NDArray[np.int64]
    # list j of query q is cell c = q * len(list_names) + j, records offsets[c]:offsets[c + 1]
    offsets: NDArray[np.int64]
    list_names: tuple[str, ...]
    query_ids: tuple[str, ...]

    def __post_init__(self) -> None:
        check_types(scores=(self.scores, np.float64), labels=(self.labels, np.int64))
        check_names(self.list_names, "list")
        check_names(self.query_ids, "query")
        cell_count = len(self.query_ids) * len(self.list_names)
        check_pair("the dataset", self.scores.size, self.labels.size)
        check_offsets(self.offsets, cells=cell_count, records=self.labels.size)
        check_labels(self.labels)
        if not np.isfinite(self.scores).all():
            raise InputError("a score is not a finite number")
        self._check_order()

    @classmethod
    def from_lists(
        cls,
        list_names: Sequence[str],
        queries: Iterable[tuple[str, Mapping[str, tuple[ArrayLike, ArrayLike]]]],
    ) -> Self:
        """Join queries, each given as its id and, by list name, its scores and labels.

        A list may be missing, and its records may come in any order.
        """
        ids, scores, labels = [], [np.zeros(0)], [no_labels()]
        for query_id, lists in queries:
            unknown = sorted(lists.keys() - set(list_names))
            if unknown:
                raise InputError(f"query {query_id!r} has a list {unknown[0]!r} that is not named")
            ids.append(query_id)
            for name in list_names:
                given_scores, given_labels = lists.get(name, ((), ()))
                some_scores = np.asarray(given_scores, np.float64)
                some_labels = np.asarray(given_labels, np.int64)
                check_pair(query_id, some_scores.size, some_labels.size)
                best_first = np.argsort(-some_scores, kind="stable")
                scores.append(some_scores[best_first])
                labels.append(some_labels[best_first])
        return cls(
            scores=np.concatenate(scores),
            labels=np.concatenate(labels),
            offsets=bounds([part.size for part in labels[1:]]),
            list_names=tuple(list_names),
            query_ids=tuple(ids),
        )

    def take(self, queries: Sequence[int] | NDArray[np.int64]) -> Self:
        """Return the dataset of these queries only, given by number."""
        count = len(self.list_names)
        starts = np.asarray(queries, np.int64)[:, None] * count
        rows, offsets = records_of(self.offsets, (starts + np.arange(count)).ravel())
        return type(self)(
            scores=self.scores[rows],
            labels=self.labels[rows],
            offsets=offsets,
            list_names=self.list_names,
            query_ids=tuple(self.query_ids[query] for query in queries),
        )

    def _check_order(self) -> None:
        rises = np.flatnonzero(np.diff(self.scores) > 0) + 1
        within = rises[~np.isin(rises, self.offsets)]
        if within.size:
            raise InputError(f"the score at position {within[0]} exceeds the one before it")
