"""From judged feature vectors to a model of weights: a method, its seeds, the step to the grid."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from forebear.learning.coordinate_ascent import ClauseWeights, CoordinateAscent, mean_ndcg
from forebear.learning.dataset import RankingDataset
from forebear.learning.history import Progress, TrainingHistory, no_progress
from forebear_lab.learning.exact_ascent import ExactAscent
from forebear_lab.learning.grid_step import step_onto_grid
from forebear_lab.learning.linear_model import LinearModel
from forebear_lab.learning.restarts import fit_restarts

Method = Literal["exact", "ranklib"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightLearner:
    """How weights are to be learned."""

    method: Method = "exact"
    start: str = "softmax"
    seeds: Sequence[int] = (1,)  # one training for each; the best is kept
    cutoff: int = 100

    def fit(
        self,
        train: RankingDataset,
        *,
        validation: RankingDataset | None = None,
        progress: Progress = no_progress,
    ) -> tuple[LinearModel, TrainingHistory]:
        """Return the model, which tells how it was learned, and the history."""
        weights, history = self._fit(train, validation, progress)
        grid = step_onto_grid(train, weights.values, cutoff=self.cutoff)
        model = LinearModel(
            weights=weights.as_dict(),
            bits=dict(zip(weights.names, grid.bits.tolist(), strict=True)) if grid else {},
            level=grid.level if grid else 0.0,
        )
        return model.with_notes(
            method=self.method,
            start=self.start,
            seeds=list(self.seeds),
            measure=f"ndcg@{self.cutoff}",
            train=mean_ndcg(train, weights.values, cutoff=self.cutoff),
            evaluations=history.last.evaluations,
            seconds=history.last.seconds,
            ended=history.ended,
            grid_cost=grid.cost if grid else None,
            history=[asdict(step) for step in history.steps],
        ), history

    def _fit(
        self, train: RankingDataset, validation: RankingDataset | None, progress: Progress
    ) -> tuple[ClauseWeights, TrainingHistory]:
        seed = self.seeds[0] if self.seeds else 0
        if self.method == "exact":
            exact = ExactAscent(seed=seed, start=self.start, cutoff=self.cutoff)
            return fit_restarts(exact, self.seeds, train, validation=validation, progress=progress)
        stepping = CoordinateAscent(seed=seed, start=self.start, cutoff=self.cutoff)
        return fit_restarts(stepping, self.seeds, train, validation=validation, progress=progress)
