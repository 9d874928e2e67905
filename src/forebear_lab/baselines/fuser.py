"""What is a method of fusing lists to an experiment?  Something that learns and then scores.

A fuser sees judged lists and returns a function that gives every record of other lists one number
to rank by.  Its curve shows how well the training queries were ranked as training went on, so that
a learner that never converged can be distinguished from one that is bad.

Also what most fusers need: scores in bits, samples of queries, and NDCG and NCE of any scores.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset, bounds
from forebear.learning.measures import Ideal, nce_of_arrays, ndcg_of_arrays, split_groups
from forebear.learning.stochastic_search import FusedScores, Scale
from forebear_lab.learning.calibration import to_bits

Score = Callable[[FusionDataset], Floats]
Loss = Callable[[Floats], tuple[float, Floats]]

CUTOFF = 100
HELD = 0.2  # of the queries
SETTLED = 0.005  # of NDCG: what the last fifth of a curve may still gain


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """How good a training was after some work."""

    work: float  # rounds, trees, evaluations or queries: the curve's unit
    train: float  # NDCG of training queries
    held: float | None = None  # of queries held out from training, where some were

    @property
    def judged(self) -> float:
        """Return the value that decides whether more work was worth it."""
        return self.train if self.held is None else self.held


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """What was learned, how, and with which settings."""

    score: Score
    curve: tuple[CurvePoint, ...] = ()
    unit: str = ""  # of the curve's work
    settings: Mapping[str, str | float] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)  # by list, if it is linear
    seconds: float | None = None  # of CPU, where another process did the training


class Fuser(Protocol):
    """A method of fusing lists."""

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Learn from judged lists."""
        ...


def has_settled(curve: Sequence[CurvePoint]) -> bool:
    """Return whether the last fifth of a training's work gained next to nothing.

    >>> points = [CurvePoint(work=w, train=1 - 0.5**w) for w in range(1, 21)]
    >>> has_settled(points), has_settled(points[:4])
    (True, False)
    """
    if not curve:
        return True
    late = curve[0].work + 0.8 * (curve[-1].work - curve[0].work)
    before = max(point.judged for point in curve if point.work <= late)
    return max(point.judged for point in curve) - before <= SETTLED


def best_work(curve: Sequence[CurvePoint]) -> int:
    """Return the work at which the training was best; the least, if several were."""
    return int(max(curve, key=lambda point: point.judged).work)


def linear(weights: Floats) -> Score:
    """Return the score of the paper: each list's score times its weight."""
    return lambda dataset: np.asarray(weights[dataset.lists_of_records()] * dataset.scores, float)


def named(dataset: FusionDataset, weights: Floats) -> dict[str, float]:
    """Return the weights by list."""
    return dict(zip(dataset.list_names, weights.tolist(), strict=True))


def scale_of(dataset: FusionDataset) -> Scale:
    """Return the scale of the scores: positive, so that weights multiply, or bits already."""
    is_positive = not dataset.scores.size or dataset.scores.min() > 0
    return "weights" if is_positive else "bits"


def in_bits(dataset: FusionDataset) -> FusionDataset:
    """Return the lists with their scores in bits; scores that may be 0 or less are bits already."""
    return to_bits(dataset) if scale_of(dataset) == "weights" else dataset


def query_offsets(dataset: FusionDataset) -> NDArray[np.int64]:
    """Return where the records of each query begin and, last, where they end."""
    return np.ascontiguousarray(dataset.offsets[:: len(dataset.list_names)])


class MeasuredLists:
    """Judged lists, and NDCG and NCE of rankings of all their records.

    NDCG is averaged over ties.  NCE needs one order, so records of equal score are shuffled by a
    seed: neither the order of the file nor that of the lists is a merit.  A list is a type, unless
    ``types`` names the type of each list.
    """

    def __init__(
        self,
        dataset: FusionDataset,
        *,
        cutoff: int = CUTOFF,
        seed: int = 1,
        types: Sequence[str] = (),
    ) -> None:
        self.dataset = dataset
        self._cutoff = cutoff
        self.offsets = query_offsets(dataset)
        self._ideals = FusedScores(dataset, cutoff=cutoff).ideals
        self.type_names, codes = np.unique(types or dataset.list_names, return_inverse=True)
        self.types = codes[dataset.lists_of_records()]  # of each record
        self._shuffle = np.random.default_rng(seed).random(dataset.scores.size)
        lists = np.diff(dataset.offsets).reshape(-1, len(dataset.list_names))
        self._supply = lists @ np.eye(self.type_names.size, dtype=np.int64)[codes]

    def ndcg(self, scores: Floats) -> Floats:
        """Return each query's NDCG, averaged over ties."""
        return ndcg_of_arrays(
            scores, self.dataset.labels, self.offsets, cutoff=self._cutoff, ideals=self._ideals
        )

    def nce(self, scores: Floats, *, ideal: Ideal = "paper") -> Floats:
        """Return each query's NCE."""
        tops = self.top_records(scores)
        return nce_of_arrays(
            self.types[np.concatenate(tops)],
            bounds([top.size for top in tops]),
            type_count=self.type_names.size,
            cutoff=self._cutoff,
            ideal=ideal,
            supply=self._supply,
        )

    def top_records(self, scores: Floats) -> list[NDArray[np.int64]]:
        """Return for each query the rows of its best records, best first."""
        return [
            first + self._top(scores[first:last], self._shuffle[first:last])
            for first, last in pairwise(self.offsets.tolist())
        ]

    def _top(self, scores: Floats, shuffle: Floats) -> NDArray[np.int64]:
        """Return the places of the best records, best first."""
        if scores.size > 2 * self._cutoff:
            least = np.partition(scores, scores.size - self._cutoff)[scores.size - self._cutoff]
            rows = np.flatnonzero(scores >= least)
        else:
            rows = np.arange(scores.size)
        order = np.lexsort((shuffle[rows], -scores[rows]))[: self._cutoff]
        return rows[order]


def sample_queries(dataset: FusionDataset, count: int, seed: int) -> FusionDataset:
    """Return the dataset of at most ``count`` of its queries, sampled by a seed."""
    total = len(dataset.query_ids)
    if total <= count:
        return dataset
    sampled = np.random.default_rng(seed).permutation(total)[:count]
    return dataset.take(np.sort(sampled))


def hold_out(dataset: FusionDataset, seed: int) -> tuple[FusionDataset, FusionDataset]:
    """Return the queries to learn from, and a fifth of them to decide when to stop."""
    learn_from, held = split_groups(dataset.query_ids, HELD, seed)
    return dataset.take(learn_from), dataset.take(held)


def minimize_followed(
    loss: Loss, start: Floats, value: Callable[[Floats], float], *, steps: int = 100
) -> tuple[Floats, tuple[CurvePoint, ...]]:
    """Return the minimum of a smooth loss by L-BFGS, and the value along the way."""
    points = [start.copy()]
    minimum = minimize(
        loss,
        start,
        jac=True,
        method="L-BFGS-B",
        callback=lambda point: points.append(np.array(point)),
        options={"maxiter": steps, "maxcor": 20},
    )
    shown = sorted({0, len(points) - 1, *np.linspace(0, len(points) - 1, 10).astype(int).tolist()})
    curve = tuple(CurvePoint(work=number, train=value(points[number])) for number in shown)
    return np.asarray(minimum.x, np.float64), curve
