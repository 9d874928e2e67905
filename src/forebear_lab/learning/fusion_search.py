"""Exact fusion search: each list's shift moved to its best place, one list after another.

Coordinate ascent in the shifts, with the step found by looking at every crossing
(`fused_line_search.py`).  It needs no start: from raw scores it ends where it ends from any
other.  The first passes look at a sample of the queries, which shows the way for a fraction
of the work; the last look at all of them.

One line search counts as one evaluation in the history.
"""

from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from forebear.learning.dataset import FusionDataset
from forebear.learning.fused_scores import FusionWeights
from forebear.learning.history import Progress, TrainingHistory, TrainingStep, no_progress
from forebear_lab.learning.fused_line_search import FusedLineSearch

ROUNDING = 1e-9  # of the sum of NDCG; a gain below this is the order of additions


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactFusion:
    """A learner of shifts; the seed decides the sample and the order of the lists."""

    seed: int
    cutoff: int = 100
    sample: int = 3000  # queries of the first passes; 0 looks at all from the start
    smoothing: float = 0.05  # half the window, in spreads of the scores
    least_gain: float = 0.5  # of a step, in queries
    tolerance: float = 0.0001  # a pass that gains less is the last of its stage
    max_passes: int = 20  # of each stage

    def fit(
        self,
        dataset: FusionDataset,
        *,
        start: NDArray[np.float64] | None = None,
        progress: Progress = no_progress,
    ) -> tuple[FusionWeights, TrainingHistory]:
        """Return the shifts found, relative to the first list, and how they were found.

        ``progress`` is told every pass.
        """
        begin = np.zeros(len(dataset.list_names)) if start is None else start
        search = _Search(self, begin, progress)
        queries = np.arange(len(dataset.query_ids))
        if 0 < self.sample < queries.size / 2:
            drawn = np.random.default_rng(self.seed).permutation(queries)[: self.sample]
            search.climb(dataset.take(np.sort(drawn)), "sample")
        ended = search.climb(dataset, "pass")
        weights = FusionWeights.named(dataset.list_names, search.shifts)
        return weights, TrainingHistory(steps=tuple(search.steps), ended=ended)


class _Search:
    """One run of the learner, from stage to stage."""

    def __init__(
        self, settings: ExactFusion, start: NDArray[np.float64], progress: Progress
    ) -> None:
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
