"""The last step of learning: weights in bits, on the grid of 64ths, and what that costs.

Learned weights have no scale; a logistic slope gives them one (`slope.py`), and the grid makes
sums of them exact.  Rounding may tie records that stood apart, so the NDCG before and after is
told.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forebear.learning.calibrate import fit_slope
from forebear.learning.coordinate_ascent import ndcg_of_scores
from forebear.learning.dataset import RankingDataset
from forebear.search.model import UNITS_PER_BIT, to_units


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GridStep:
    """Weights in bits on the grid, and mean NDCG before and after they were put there."""

    bits: NDArray[np.float64]
    level: float  # what is added to a record's sum of bits for the log2 odds
    before: float
    after: float

    @property
    def cost(self) -> float:
        """Return how much of the mean NDCG was lost; below 0 if some was won."""
        return self.before - self.after


def step_onto_grid(
    dataset: RankingDataset, weights: NDArray[np.float64], *, cutoff: int = 100
) -> GridStep | None:
    """Return the weights in bits; None if higher scores were not likelier to be right."""
    scores = dataset.features @ weights
    line = fit_slope(scores, dataset.labels)
    if line.slope <= 0:
        return None
    units = [to_units(bits) for bits in (weights * line.slope).tolist()]
    bits = np.array(units, np.float64) / UNITS_PER_BIT
    return GridStep(
        bits=bits,
        level=to_units(line.intercept) / UNITS_PER_BIT,
        before=ndcg_of_scores(dataset, scores, cutoff=cutoff),
        after=ndcg_of_scores(dataset, dataset.features @ bits, cutoff=cutoff),
    )
