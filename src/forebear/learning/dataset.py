"""What do learners learn from, and what do they report?  Datasets, and the history of a training.

A dataset is judged lists of one record type, or judged lists to be fused.  Both are flat arrays
with bounds, because that is what the inner loops read; neither knows what a record is.  The records
of cell c (a query, or one list of a query) are ``offsets[c]:offsets[c + 1]``.  Labels are grades:
0 is irrelevant, anything above is relevant.

Features are true or false, as clauses are, or real numbers, as in LETOR files.  What needs the
former (some starts, the fast line search) asks `RankingDataset.binary`.

Queries may have weights; means over queries are weighted then, and so is what is counted in them.

A history has the measure and the cost after each move of a learner.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from forebear.errors import InputError

Features = NDArray[np.bool_] | NDArray[np.float64]
Scores = NDArray[np.float64] | NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankingDataset:
    """Judged lists of one kind: which features each record has, and its label."""

    features: Features  # one row per record, one column per feature
    labels: NDArray[np.int64]
    offsets: NDArray[np.int64]  # query q holds the records offsets[q]:offsets[q + 1]
    feature_names: tuple[str, ...]
    query_ids: tuple[str, ...]
    given_weights: NDArray[np.float64] | None = None  # of each query

    def __post_init__(self) -> None:
        check_types(labels=(self.labels, np.int64))
        check_features(self.features)
        if self.features.shape != (self.labels.size, len(self.feature_names)):
            raise InputError(
                f"features of shape {self.features.shape} do not fit {self.labels.size} labels "
                f"and {len(self.feature_names)} feature names"
            )
        check_names(self.feature_names, "feature")
        check_names(self.query_ids, "query")
        check_offsets(self.offsets, cells=len(self.query_ids), records=self.labels.size)
        check_labels(self.labels)
        check_weights(self.given_weights, len(self.query_ids))

    @property
    def weights(self) -> NDArray[np.float64]:
        """Return the weight of each query."""
        return weights_or_ones(self.given_weights, len(self.query_ids))

    @property
    def record_weights(self) -> NDArray[np.float64]:
        """Return for each record the weight of its query."""
        return np.repeat(self.weights, np.diff(self.offsets))

    @property
    def binary(self) -> bool:
        """Return whether a record only has or lacks each feature."""
        return self.features.dtype == np.bool_

    @classmethod
    def from_queries(
        cls,
        feature_names: Sequence[str],
        queries: Iterable[tuple[str, ArrayLike, ArrayLike]],
        *,
        weights: NDArray[np.float64] | None = None,
    ) -> Self:
        """Join queries, each given as its id, its records' binary features and their labels."""
        ids, features, labels = (
            [],
            [np.zeros((0, len(feature_names)), bool)],
            [np.zeros(0, np.int64)],
        )
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
            given_weights=weights,
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
            given_weights=taken_weights(self.given_weights, queries),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FusionDataset:
    """Judged lists of many kinds, disjoint and scored, one of each kind for each query."""

    scores: Scores  # 64 bits or 32, of any sign; never increasing within a list
    labels: NDArray[np.int64]
    # list j of query q is cell c = q * len(list_names) + j, records offsets[c]:offsets[c + 1]
    offsets: NDArray[np.int64]
    list_names: tuple[str, ...]
    query_ids: tuple[str, ...]
    # By query number, the grades of relevant records that no list holds: they cannot be ranked,
    # but the ideal order contains them.
    unfound: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    given_weights: NDArray[np.float64] | None = None  # of each query

    def __post_init__(self) -> None:
        check_types(labels=(self.labels, np.int64))
        check_scores(self.scores)
        check_names(self.list_names, "list")
        check_names(self.query_ids, "query")
        cell_count = len(self.query_ids) * len(self.list_names)
        check_pair("the dataset", self.scores.size, self.labels.size)
        check_offsets(self.offsets, cells=cell_count, records=self.labels.size)
        check_labels(self.labels)
        check_weights(self.given_weights, len(self.query_ids))
        self._check_order()

    @property
    def weights(self) -> NDArray[np.float64]:
        """Return the weight of each query."""
        return weights_or_ones(self.given_weights, len(self.query_ids))

    @property
    def record_weights(self) -> NDArray[np.float64]:
        """Return for each record the weight of its query."""
        return np.repeat(self.weights, self.records_by_query())

    def records_by_query(self) -> NDArray[np.int64]:
        """Return how many records each query has."""
        return np.diff(self.offsets[:: max(1, len(self.list_names))])

    @classmethod
    def from_lists(
        cls,
        list_names: Sequence[str],
        queries: Iterable[tuple[str, Mapping[str, tuple[ArrayLike, ArrayLike]]]],
        *,
        weights: NDArray[np.float64] | None = None,
    ) -> Self:
        """Join queries, each given as its id and, by list name, its scores and labels.

        A list may be missing, and its records may come in any order.
        """
        ids, scores, labels = [], [np.zeros(0)], [np.zeros(0, np.int64)]
        for query_id, lists in queries:
            unknown = sorted(lists.keys() - set(list_names))
            if unknown:
                raise InputError(f"query {query_id!r} has a list {unknown[0]!r} that is not named")
            ids.append(query_id)
            for name in list_names:
                given_scores, given_labels = lists.get(name, ((), ()))
                list_scores = np.asarray(given_scores, np.float64)
                list_labels = np.asarray(given_labels, np.int64)
                check_pair(query_id, list_scores.size, list_labels.size)
                best_first = np.argsort(-list_scores, kind="stable")
                scores.append(list_scores[best_first])
                labels.append(list_labels[best_first])
        return cls(
            scores=np.concatenate(scores),
            labels=np.concatenate(labels),
            offsets=bounds([part.size for part in labels[1:]]),
            list_names=tuple(list_names),
            query_ids=tuple(ids),
            given_weights=weights,
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
            unfound={
                number: self.unfound[query]
                for number, query in enumerate(map(int, queries))
                if query in self.unfound
            },
            given_weights=taken_weights(self.given_weights, queries),
        )

    def top(self, depth: int) -> Self:
        """Return the dataset with only the first records of every list."""
        sizes = np.minimum(np.diff(self.offsets), depth)
        offsets = bounds(sizes.tolist())
        rows = np.arange(offsets[-1]) + np.repeat(self.offsets[:-1] - offsets[:-1], sizes)
        return replace(self, scores=self.scores[rows], labels=self.labels[rows], offsets=offsets)

    def lists_of_records(self) -> NDArray[np.int64]:
        """Return the number of each record's list."""
        cells = np.arange(self.offsets.size - 1) % max(1, len(self.list_names))
        return np.repeat(cells, np.diff(self.offsets))

    def _check_order(self) -> None:
        rises = self.scores[1:] > self.scores[:-1]
        borders = self.offsets[(self.offsets > 0) & (self.offsets < self.scores.size)]
        rises[borders - 1] = False
        if rises.any():
            place = int(np.argmax(rises)) + 1
            raise InputError(f"the score at position {place} exceeds the one before it")


def feature_scales(dataset: RankingDataset) -> NDArray[np.float64]:
    """Return the scale of each feature: 1, or the standard deviation of a real number."""
    if dataset.binary:
        return np.ones(len(dataset.feature_names))
    deviations = dataset.features.astype(np.float64).std(axis=0)
    return np.where(deviations > 0, deviations, 1.0)


def columns_of(dataset: RankingDataset) -> Features:
    """Return the features with one row per feature, each contiguous in memory."""
    return cast(Features, np.ascontiguousarray(dataset.features.T))


def bounds(sizes: Sequence[int]) -> NDArray[np.int64]:
    """Return where parts of these sizes begin and, last, where they end."""
    return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))).astype(np.int64)


def records_of(
    offsets: NDArray[np.int64], cells: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the records of these cells and the cells' new bounds."""
    sizes = offsets[cells + 1] - offsets[cells]
    new = bounds(sizes.tolist())
    rows = np.arange(new[-1]) + np.repeat(offsets[cells] - new[:-1], sizes)
    return rows, new


def check_types(**arrays: tuple[NDArray[np.generic], type[np.generic]]) -> None:
    """Refuse arrays of another type than the inner loops read."""
    for name, (array, expected) in arrays.items():
        if array.dtype != expected:
            raise InputError(f"{name} are of type {array.dtype}, not {np.dtype(expected)}")


def check_features(features: NDArray[np.generic]) -> None:
    """Refuse features that are neither true or false nor finite numbers."""
    if features.dtype not in (np.bool_, np.float64):
        raise InputError(f"features are of type {features.dtype}, not bool or float64")
    if features.dtype == np.float64 and not np.isfinite(features).all():
        raise InputError("a feature is not a finite number")


def check_scores(scores: NDArray[np.generic]) -> None:
    """Refuse scores that are not finite numbers."""
    if scores.dtype not in (np.float64, np.float32):
        raise InputError(f"scores are of type {scores.dtype}, not float64 or float32")
    if not np.isfinite(scores).all():
        raise InputError("a score is not a finite number")


def check_names(names: Sequence[str], what: str) -> None:
    """Refuse a name that is given twice."""
    if len(set(names)) != len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise InputError(f"{what} {twice!r} is named twice")


def check_pair(where: str, records: int, labels: int) -> None:
    """Refuse records without labels and labels without records."""
    if records != labels:
        raise InputError(f"{where} has {records} records but {labels} labels")


def check_offsets(offsets: NDArray[np.int64], *, cells: int, records: int) -> None:
    """Refuse offsets that do not divide the records into cells."""
    check_types(offsets=(offsets, np.int64))
    if offsets.shape != (cells + 1,) or offsets[0] != 0 or offsets[-1] != records:
        raise InputError(f"offsets must be {cells + 1} numbers from 0 to {records}")
    if (np.diff(offsets) < 0).any():
        raise InputError("offsets must never decrease")


def weights_or_ones(weights: NDArray[np.float64] | None, count: int) -> NDArray[np.float64]:
    """Return the weights of queries; without any, each counts for 1."""
    return np.ones(count) if weights is None else weights


def taken_weights(
    weights: NDArray[np.float64] | None, queries: Sequence[int] | NDArray[np.int64]
) -> NDArray[np.float64] | None:
    """Return the weights of these queries only, given by number."""
    return None if weights is None else weights[np.asarray(queries, np.int64)]


def check_weights(weights: NDArray[np.float64] | None, count: int) -> None:
    """Refuse weights that are not a finite number of at least 0 for each query."""
    if weights is None:
        return
    if weights.shape != (count,) or not np.isfinite(weights).all() or (weights < 0).any():
        raise InputError(f"weights must be {count} finite numbers of at least 0")


def check_labels(labels: NDArray[np.int64]) -> None:
    """Refuse grades below 0."""
    if labels.size and labels.min() < 0:
        raise InputError(f"a label is {labels.min()}; grades begin at 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingStep:
    """The state after one move of a learner."""

    move: str  # "start", "pass 3", "reflect" ...
    train: float  # the measure on the training queries
    validation: float | None = None
    evaluations: int  # of the training measure, so far
    seconds: float  # so far


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingHistory:
    """Every step of a training, and why it ended."""

    steps: tuple[TrainingStep, ...]
    ended: str  # "tolerance", "max_passes", "validation", "stagnation", "max_iterations"

    @property
    def last(self) -> TrainingStep:
        """Return the state in which training ended."""
        return self.steps[-1]


Progress = Callable[[TrainingStep], None]


def no_progress(_: TrainingStep) -> None:
    """Ignore the step."""


def later(history: TrainingHistory, seconds: float) -> TrainingHistory:
    """Return the history of a training that began after some seconds of other work."""
    steps = tuple(replace(step, seconds=step.seconds + seconds) for step in history.steps)
    return replace(history, steps=steps)


def join_histories(parts: Sequence[tuple[str, TrainingHistory]]) -> TrainingHistory:
    """Return histories as one, each step under its part's name, its costs counted from the start.

    An empty name leaves the steps' names as they are.
    """
    steps: list[TrainingStep] = []
    evaluations, seconds = 0, 0.0
    for name, history in parts:
        for step in history.steps:
            joined = replace(
                step,
                move=f"{name}: {step.move}" if name else step.move,
                evaluations=evaluations + step.evaluations,
                seconds=seconds + step.seconds,
            )
            steps.append(joined)
        if history.steps:
            evaluations, seconds = steps[-1].evaluations, steps[-1].seconds
    return TrainingHistory(steps=tuple(steps), ended=parts[-1][1].ended)
