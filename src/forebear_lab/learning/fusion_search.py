"""Exact fusion search: each list's shift is moved to its best place, one list after another.

In bits a list's shift moves its records together, so along one shift the NDCG of the fused list is
a staircase, and every stair counts (`forebear_lab/kernels/fused.py`).  Where each relevant record
is in each list is stored, so a line search reads one list only.

The search needs no start: from raw scores it ends where it ends from any other.  The first passes
use a sample of the queries, which shows the direction for a fraction of the work; the last use all
of them.  One line search counts as one evaluation in the history.
"""

from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.ndcg import Floats, Integers
from forebear.learning.dataset import (
    FusionDataset,
    Progress,
    TrainingHistory,
    TrainingStep,
    no_progress,
)
from forebear.learning.stochastic_search import FusedScores, FusionWeights
from forebear_lab.kernels.fused import RelevantRecords, fused_line, fused_values, recount
from forebear_lab.kernels.lines import Borders, choose_border

ROUNDING = 1e-9  # of the sum of NDCG; a smaller gain comes from the order of additions
REACH = 2.0  # spreads of the scores to either side
SPREAD_SAMPLE = 1_000_000  # records, from which the spread is taken


class FusedLineSearch:
    """A dataset's lists under shifts, one row for all queries or one for each."""

    def __init__(
        self,
        dataset: FusionDataset,
        shifts: Floats,
        *,
        cutoff: int,
        bins: int = 512,
    ) -> None:
        self._data = FusedScores(dataset, cutoff=cutoff)
        self._bins = bins
        self.shifts = np.array(np.atleast_2d(shifts), np.float64)
        self.everywhere = np.arange(self._data.relevant.size)
        queries, lists = np.divmod(self._data.cells, len(dataset.list_names))
        above = np.zeros((queries.size, len(dataset.list_names)), np.int64)
        tied = np.zeros_like(above)
        above[self.everywhere, lists] = self._data.firsts - dataset.offsets[self._data.cells]
        tied[self.everywhere, lists] = self._data.ties
        self._relevant = RelevantRecords(
            records=self._data.relevant,
            cells=self._data.cells,
            worths=self._data.gains / self._data.ideals[queries],
            above=above,
            tied=tied,
        )
        self._recount(self.everywhere, -1)
        self.spread = float(dataset.scores[:SPREAD_SAMPLE].std()) or 1.0

    @property
    def value(self) -> float:
        """Return the mean NDCG, expected over ties."""
        return self._sum(self.everywhere) / len(self._data.dataset.query_ids)

    def numbers_of(self, queries: NDArray[np.bool_]) -> Integers:
        """Return the relevant records, by number, of the marked queries."""
        owners = self._data.cells // len(self._data.dataset.list_names)
        return np.flatnonzero(queries[owners])

    def best_step(
        self,
        name: int,
        numbers: Integers,
        *,
        smoothing: float = 0.0,
        pull: float = 0.0,
        toward: float = 0.0,
    ) -> tuple[float, float]:
        """Return the best step of a list, for the queries of these records, and its gain.

        The gain is of the mean NDCG over all queries.  ``smoothing`` is half the width of the
        window over which NDCG is averaged, in spreads.  ``pull`` is what a squared distance of
        1 from the value that lies ``toward`` from here costs, in mean NDCG.
        """
        width = 2 * REACH * self.spread / self._bins
        low = (0.5 - self._bins / 2) * width
        values = fused_line(
            self._data.scores,
            self._data.dataset.offsets,
            self._relevant,
            self._data.discounts,
            self.shifts,
            numbers,
            name,
            Borders(low, width, self._bins),
            self._data.cutoff,
        )
        count = len(self._data.dataset.query_ids)
        if pull:
            steps = low + width * np.arange(self._bins)
            values -= pull * count * ((steps - toward) ** 2 - toward**2)
        half = round(smoothing / (2 * REACH) * self._bins)
        border, gain = choose_border(values, half, 0, self._bins, self._sum(numbers))
        return low + border * width, float(gain) / count

    def take(self, name: int, step: float, numbers: Integers) -> None:
        """Move a list by a step, in the queries of these records."""
        if self.shifts.shape[0] == 1:
            self.shifts[0, name] += step
        else:
            rows = np.unique(self._data.cells[numbers] // len(self._data.dataset.list_names))
            self.shifts[rows, name] += step
        self._recount(numbers, name)

    def _recount(self, numbers: Integers, moved: int) -> None:
        recount(
            self._data.scores,
            self._data.dataset.offsets,
            self._relevant,
            self.shifts,
            numbers,
            moved,
        )

    def _sum(self, numbers: Integers) -> float:
        return float(fused_values(self._relevant, self._data.discounts, numbers))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactFusion:
    """A learner of shifts; the seed decides the sample and the order of the lists."""

    seed: int
    cutoff: int = 100
    sample: int = 3000  # queries of the first passes; 0 uses all from the start
    smoothing: float = 0.05  # half the window, in spreads of the scores
    least_gain: float = 0.5  # of a step, in queries
    tolerance: float = 0.0001  # a pass that gains less is the last of its stage
    max_passes: int = 20  # of each stage

    def fit(
        self,
        dataset: FusionDataset,
        *,
        start: Floats | None = None,
        progress: Progress = no_progress,
    ) -> tuple[FusionWeights, TrainingHistory]:
        """Return the shifts, relative to the first list, and the history of the training.

        ``progress`` is called after every pass.
        """
        begin = np.zeros(len(dataset.list_names)) if start is None else start
        search = _Search(self, begin, progress)
        queries = np.arange(len(dataset.query_ids))
        if 0 < self.sample < queries.size / 2:
            sampled = np.random.default_rng(self.seed).permutation(queries)[: self.sample]
            search.climb(dataset.take(np.sort(sampled)), "sample")
        ended = search.climb(dataset, "pass")
        weights = FusionWeights.named(dataset.list_names, search.shifts)
        return weights, TrainingHistory(steps=tuple(search.steps), ended=ended)


class _Search:
    """One run of the learner, from stage to stage."""

    def __init__(self, settings: ExactFusion, start: Floats, progress: Progress) -> None:
        self._began = perf_counter()
        self._progress = progress
        self._settings = settings
        self._random = np.random.default_rng(settings.seed)
        self._searches = 0
        self.shifts = start
        self.steps: list[TrainingStep] = []

    def climb(self, dataset: FusionDataset, stage: str) -> str:
        """Make passes over all lists until one gains too little."""
        line = FusedLineSearch(dataset, self.shifts, cutoff=self._settings.cutoff)
        self._note(f"{stage} start", line)
        ended = "max_passes"
        for number in range(1, self._settings.max_passes + 1):
            gained = self._pass(line, len(dataset.query_ids))
            self._note(f"{stage} {number}", line)
            if gained < self._settings.tolerance:
                ended = "tolerance"
                break
        self.shifts = line.shifts[0]
        return ended

    def _pass(self, line: FusedLineSearch, queries: int) -> float:
        gained = 0.0
        least = max(self._settings.least_gain, ROUNDING) / queries
        for name in self._random.permutation(line.shifts.shape[1]):
            step, gain = line.best_step(
                int(name), line.everywhere, smoothing=self._settings.smoothing
            )
            self._searches += 1
            if gain > least:
                line.take(int(name), step, line.everywhere)
                gained += gain
        return gained

    def _note(self, move: str, line: FusedLineSearch) -> None:
        step = TrainingStep(
            move=move,
            train=line.value,
            evaluations=self._searches,
            seconds=perf_counter() - self._began,
        )
        self.steps.append(step)
        self._progress(step)
