"""How much relevance does diversity cost?  NDCG and NCE of fused lists, and the best of both.

NDCG measures how near the top the relevant records are, NCE how varied the types are all the way
down; here a list's name is its type.  A decay lowers the rest of a list with every record taken
from it; swept from 0 upward it trades a little of the one for much of the other.  A trade-off that
another beats in both is not worth having; those that remain are the Pareto front.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

import numpy as np

from forebear.errors import InputError
from forebear.kernels.ndcg import Floats, Integers
from forebear.learning.dataset import (
    FusionDataset,
    Progress,
    TrainingHistory,
    TrainingStep,
    bounds,
    no_progress,
)
from forebear.learning.measures import Ideal, nce_of_arrays
from forebear.learning.stochastic_search import FusedScores, FusionWeights, Minimizer, NelderMead
from forebear_lab.kernels.fused import fused_order


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeOff:
    """NDCG and NCE of one way of fusing."""

    ndcg: float
    nce: float
    decay: float = 0.0  # bits a record already taken

    def beats(self, other: "TradeOff") -> bool:
        """Return whether this one is at least as good in both and better in one."""
        mine, theirs = (self.ndcg, self.nce), (other.ndcg, other.nce)
        return mine != theirs and all(m >= t for m, t in zip(mine, theirs, strict=True))


class FusedLists:
    """A dataset and the order of its fused lists."""

    def __init__(
        self, dataset: FusionDataset, *, cutoff: int = 100, ideal: Ideal = "supply"
    ) -> None:
        self._scores = FusedScores(dataset, cutoff=cutoff)
        self._dataset = dataset
        self._ideal = ideal
        self._cutoff = cutoff
        self._supply = np.diff(dataset.offsets).reshape(-1, len(dataset.list_names))
        lengths = np.minimum(self._supply.sum(axis=1), cutoff)
        self._bounds = bounds(lengths.tolist())
        self._places = np.arange(self._bounds[-1]) - np.repeat(self._bounds[:-1], lengths)
        self._queries = np.repeat(np.arange(lengths.size), lengths)

    def trade_off(self, shifts: Floats, *, decay: float = 0.0) -> TradeOff:
        """Return mean NDCG and mean NCE of the lists fused by shifts and a decay."""
        rows = np.atleast_2d(np.ascontiguousarray(shifts, np.float64))
        order = fused_order(
            self._dataset.scores, self._dataset.offsets, rows, self._bounds, float(decay)
        )
        return TradeOff(ndcg=self._ndcg(order), nce=self._nce(order), decay=decay)

    def _ndcg(self, order: Integers) -> float:
        gains = self._dataset.labels[order] / np.log2(2 + self._places)
        sums = np.bincount(self._queries, gains, self._bounds.size - 1)
        ideals = self._scores.ideals
        return float((sums / np.where(ideals > 0, ideals, 1.0)).mean())

    def _nce(self, order: Integers) -> float:
        cells = np.searchsorted(self._dataset.offsets, order, side="right") - 1
        values = nce_of_arrays(
            cells % len(self._dataset.list_names),
            self._bounds,
            type_count=len(self._dataset.list_names),
            cutoff=self._cutoff,
            ideal=self._ideal,
            supply=self._supply,
        )
        return float(values.mean())


def sweep_decays(
    lists: FusedLists, shifts: Floats, decays: Iterable[float]
) -> tuple[TradeOff, ...]:
    """Return what each decay gives."""
    return tuple(lists.trade_off(shifts, decay=decay) for decay in decays)


def pareto_front(trade_offs: Sequence[TradeOff]) -> tuple[TradeOff, ...]:
    """Return the trade-offs that none beats, by falling NDCG."""
    front = {one for one in trade_offs if not any(other.beats(one) for other in trade_offs)}
    return tuple(sorted(front, key=lambda one: (-one.ndcg, one.nce)))


def hypervolume(front: Sequence[TradeOff]) -> float:
    """Return the area of NDCG and NCE, both from 0, that a front dominates.

    >>> hypervolume([TradeOff(ndcg=0.5, nce=0.4), TradeOff(ndcg=0.25, nce=0.8)])
    0.3
    """
    area = reached = 0.0
    for one in pareto_front(front):
        area += one.ndcg * (one.nce - reached)
        reached = one.nce
    return round(area, 12)


@dataclass(frozen=True, slots=True, kw_only=True)
class JointSearch:
    """Learns shifts that maximize NDCG + weight * NCE, from a start such as those best for NDCG.

    NCE depends on the whole order of the first records, not only on the relevant ones, so there is
    no line search; Nelder and Mead's simplex evaluates both measures at every point.  A decay after
    fusion usually gives more of both; this is what weights alone can do.
    """

    weight: float  # of NCE beside NDCG
    cutoff: int = 100
    ideal: Ideal = "supply"
    simplex: Minimizer = field(default_factory=lambda: NelderMead(step=0.5, stagnation=30))

    def fit(
        self,
        dataset: FusionDataset,
        *,
        start: Floats,
        progress: Progress = no_progress,
    ) -> tuple[FusionWeights, TrainingHistory]:
        """Return the best shifts; history and progress have the joint value."""
        if self.weight < 0:
            raise InputError(f"the weight of NCE is {self.weight}, not 0 or more")
        began = perf_counter()
        lists = FusedLists(dataset, cutoff=self.cutoff, ideal=self.ideal)
        tried: list[TrainingStep] = []

        def loss(shifts: Floats) -> float:
            value = lists.trade_off(shifts)
            step = TrainingStep(
                move="evaluation",
                train=value.ndcg + self.weight * value.nce,
                evaluations=len(tried) + 1,
                seconds=perf_counter() - began,
            )
            tried.append(step)
            progress(step)
            return -step.train

        minimum = self.simplex.minimize(loss, start)
        steps = tuple(
            replace(tried[move.evaluations - 1], move=move.operation, train=-move.best)
            for move in minimum.moves
        )
        weights = FusionWeights.named(dataset.list_names, minimum.point)
        return weights, TrainingHistory(steps=steps, ended=minimum.ended)
