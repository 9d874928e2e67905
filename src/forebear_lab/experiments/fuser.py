"""What every way of fusing lists is to an experiment: something that learns and then scores.

A fuser sees judged lists and returns what gives every record of other lists one number to be
ranked by.  Its curve says how well the training queries were ranked as it went on, so that a
rival that never converged can be told from one that is bad.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from forebear.learning.dataset import FusionDataset

Row = NDArray[np.float64]
Score = Callable[[FusionDataset], Row]

SETTLED = 0.005  # of NDCG: what the last fifth of a curve may still gain


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """How good a training was after so much work."""

    work: float  # rounds, trees, evaluations or queries: the curve's own unit
    train: float  # NDCG of training queries
    held: float | None = None  # of queries held out from training, where some were

    @property
    def judged(self) -> float:
        """Return what says whether more work was worth it."""
        return self.train if self.held is None else self.held


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """What was learned, how, and with which settings."""

    score: Score
    curve: tuple[CurvePoint, ...] = ()
    unit: str = ""  # of the curve's work
    settings: Mapping[str, str | float] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)  # by list, if it is linear


class Fuser(Protocol):
    """A way to fuse lists."""

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Learn from judged lists."""
        ...


def has_settled(curve: Sequence[CurvePoint]) -> bool:
    """Say whether the last fifth of a training's work gained next to nothing.

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
    """Return the work at which the training was best, the least if several were."""
    return int(max(curve, key=lambda point: point.judged).work)


def linear(weights: Row) -> Score:
    """Return the score of the paper: each list's score times its weight."""
    return lambda dataset: np.asarray(weights[dataset.lists_of_records()] * dataset.scores, float)


def named(dataset: FusionDataset, weights: Row) -> dict[str, float]:
    """Return the weights by list."""
    return dict(zip(dataset.list_names, weights.tolist(), strict=True))
