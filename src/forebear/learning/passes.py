"""The passes of an ascent: how good the weights were after each, and which were the best.

Weights are judged by the validation queries if there are any, else by the training queries.
An ascent that has done no better on the validation queries for some passes may give up.
"""

from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from forebear.learning.dataset import RankingDataset
from forebear.learning.history import Progress, TrainingHistory, TrainingStep
from forebear.learning.linear_scores import LinearScores


class Passes:
    """What was noted so far, beginning with the start; the clock runs from here."""

    def __init__(
        self,
        validation: RankingDataset | None,
        *,
        features: int,
        cutoff: int,
        patience: int,
        progress: Progress,
    ) -> None:
        self._began = perf_counter()
        self._progress = progress
        self._patience = patience
        self.best = np.zeros(features)  # the weights
        self._held = LinearScores(validation, self.best, cutoff=cutoff) if validation else None
        self._steps: list[TrainingStep] = []
        self._best_value = -1.0
        self._best_pass = 0

    @property
    def count(self) -> int:
        """Return how many passes were noted, without the start."""
        return len(self._steps) - 1

    @property
    def is_stale(self) -> bool:
        """Say whether the validation queries have waited long enough for something better."""
        return self._held is not None and self.count - self._best_pass >= self._patience

    def note(self, weights: NDArray[np.float64], *, train: float, evaluations: int) -> None:
        """Note the weights after a pass, and tell the progress."""
        held = None
        if self._held:
            self._held.set_weights(weights)
            held = self._held.value
        step = TrainingStep(
            move=f"pass {len(self._steps)}" if self._steps else "start",
            train=train,
            validation=held,
            evaluations=evaluations,
            seconds=perf_counter() - self._began,
        )
        self._steps.append(step)
        judged = train if held is None else held
        if judged > self._best_value:
            self.best, self._best_value, self._best_pass = weights.copy(), judged, self.count
        self._progress(step)

    def history(self, ended: str) -> TrainingHistory:
        """Return all that was noted, and why it ended."""
        return TrainingHistory(steps=tuple(self._steps), ended=ended)
