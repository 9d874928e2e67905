"""Which learners of record-specific weights are compared, and how does each rank records?

Ours learn a weight for each feature, and a record's score is the sum of the weights of its
features.  RankLib's own learners, some of them trees, give the score of each record instead.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import Protocol

import numpy as np

from forebear.kernels.ndcg import Floats
from forebear.learning.coordinate_ascent import ClauseWeights, CoordinateAscent
from forebear.learning.dataset import RankingDataset, TrainingHistory
from forebear.learning.measures import ndcg_of_arrays
from forebear_lab.baselines.ascents import RanklibAscent
from forebear_lab.baselines.fuser import CurvePoint
from forebear_lab.baselines.maven import Limits
from forebear_lab.baselines.ranklib import RANKERS, records_as_letor, train_ranker
from forebear_lab.experiments.methods import check_names
from forebear_lab.learning.ascent import ExactAscent

_DECIMALS = 12  # sums of the same weights in another order must stay ties


class WeightLearner(Protocol):
    """A learner of a weight for each feature."""

    def fit(self, dataset: RankingDataset) -> tuple[ClauseWeights, TrainingHistory]:
        """Learn from judged lists."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankedRecords:
    """The scores of training and test records, and what learning them cost."""

    train: Floats
    test: Floats
    seconds: float  # of CPU
    evaluations: int = 0  # 0: not counted
    ended: str = ""
    curve: tuple[CurvePoint, ...] = ()


class RecordsRanker(Protocol):
    """A method that learns from some records and scores those and others."""

    def rank(self, train: RankingDataset, test: RankingDataset) -> RankedRecords:
        """Learn from the training queries."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsMethod:
    """A method of learning to rank records, by name."""

    name: str
    title: str
    make: Callable[[int], RecordsRanker]
    external: bool = False  # does another program learn, without a seed?


@dataclass(frozen=True, slots=True)
class LinearRanker:
    """A learner of weights as a ranker."""

    learner: WeightLearner

    def rank(self, train: RankingDataset, test: RankingDataset) -> RankedRecords:
        """Learn weights; the time is that of learning alone."""
        began = process_time()
        weights, history = self.learner.fit(train)
        seconds = process_time() - began
        return RankedRecords(
            train=linear_scores(train, weights.values),
            test=linear_scores(test, weights.values),
            seconds=seconds,
            evaluations=history.last.evaluations,
            ended=history.ended,
            curve=tuple(
                CurvePoint(work=step.evaluations, train=step.train) for step in history.steps
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RanklibRanker:
    """A learner of RankLib as a ranker."""

    ranker: str
    limits: Limits
    command: tuple[str, ...] | None = None  # instead of RankLib, for tests

    def rank(self, train: RankingDataset, test: RankingDataset) -> RankedRecords:
        """Train by RankLib; the time is that of its training run."""
        data = records_as_letor(train)
        trained = train_ranker(self.ranker, data, self.limits, command=self.command)
        return RankedRecords(
            train=trained.score(data),
            test=trained.score(records_as_letor(test)),
            seconds=trained.seconds,
            ended="RankLib's default",
        )


def linear_scores(dataset: RankingDataset, weights: Floats) -> Floats:
    """Return the score of each record under weights."""
    return np.asarray(np.round(dataset.features.astype(np.float64) @ weights, _DECIMALS))


def query_ndcg(dataset: RankingDataset, scores: Floats) -> Floats:
    """Return the NDCG of each query under scores, averaged over ties."""
    return ndcg_of_arrays(scores, dataset.labels, dataset.offsets, cutoff=100)


def _ascent(start: str, seed: int) -> RecordsRanker:
    return LinearRanker(CoordinateAscent(seed=seed, start=start))


def _exact(start: str, seed: int) -> RecordsRanker:
    return LinearRanker(ExactAscent(seed=seed, start=start))


def _methods() -> Iterator[RecordsMethod]:
    yield RecordsMethod(
        name="ranklib",
        title="CA as RankLib 2.7 ships it, 5 restarts",
        make=lambda seed: LinearRanker(RanklibAscent(seed=seed)),
    )
    for start in ("uniform", "customized", "log_odds", "ridge"):
        title = {"uniform": "default start", "customized": "customized start"}.get(start, start)
        yield RecordsMethod(name=f"ca_{start}", title=f"CA, {title}", make=partial(_ascent, start))
    for start in ("uniform", "customized", "softmax"):
        yield RecordsMethod(
            name=f"exact_{start}", title=f"exact, {start} start", make=partial(_exact, start)
        )


RECORDS_METHODS: Mapping[str, RecordsMethod] = {method.name: method for method in _methods()}


def ranklib_records_methods(limits: Limits) -> dict[str, RecordsMethod]:
    """Return RankLib's learners, named `ranklib_` and the name of the learner."""
    return {
        f"ranklib_{name}": RecordsMethod(
            name=f"ranklib_{name}",
            title=f"RankLib {ranker.title}",
            make=partial(_ranklib, name, limits),
            external=True,
        )
        for name, ranker in RANKERS.items()
    }


def _ranklib(name: str, limits: Limits, _seed: int) -> RecordsRanker:
    return RanklibRanker(ranker=name, limits=limits)


def choose_records_methods(
    names: Sequence[str], ranklib: Limits | None = None
) -> tuple[RecordsMethod, ...]:
    """Return the learners of these names; no name means all, RankLib's if its limits are given."""
    available = dict(RECORDS_METHODS) | (ranklib_records_methods(ranklib) if ranklib else {})
    check_names(names, available)
    return tuple(available[name] for name in names or available)
