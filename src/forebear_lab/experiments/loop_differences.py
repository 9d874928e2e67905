"""How much better is a model, and how sure is that?  Means over draws of training searches.

For each draw a model is learned and measured on the same test searches.  Both the draws and the
persons sought are chance, so the interval resamples both (bootstrap, 95 %, percentiles).  The
worst draw is the one with the lowest mean.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.ndcg import Floats
from forebear_lab.experiments.rescored_lists import Ranked

RESAMPLES = 2_000
MEASURES = {
    "ndcg@100": "ndcg",
    "nce@100": "nce",
    "success@1": "success_1",
    "success@10": "success_10",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean with its 95 % interval, and the lowest mean of a draw."""

    mean: float
    low: float
    high: float
    worst: float

    def value(self) -> dict[str, float]:
        """Return it as plain values."""
        return {name: round(getattr(self, name), 6) for name in ("mean", "low", "high", "worst")}

    @property
    def shown(self) -> str:
        """Return it as a difference is shown."""
        return f"{self.mean:+.4f} [{self.low:+.4f}, {self.high:+.4f}]"


def estimate(draws: Sequence[Floats], groups: Sequence[str], *, seed: int) -> Estimate:
    """Return the mean over draws and searches; what is not a number does not count.

    ``groups`` names the person sought by each search.
    """
    values = np.stack(draws)
    _, members = np.unique(np.asarray(groups), return_inverse=True)
    sums, sizes = (_by_group(of, members) for of in (np.nan_to_num(values), ~np.isnan(values)))
    counted = sizes.sum(axis=0) > 0
    sums, sizes = sums[:, counted], sizes[:, counted]
    means = _resampled(sums, sizes, np.random.default_rng(seed))
    by_draw = sums.sum(axis=1) / sizes.sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Estimate(
        mean=float(sums.sum() / sizes.sum()),
        low=float(low),
        high=float(high),
        worst=float(by_draw.min()),
    )


def estimate_all(
    draws: Sequence[Ranked], groups: Sequence[str], *, seed: int
) -> dict[str, Estimate]:
    """Return the estimate of every measure, by its text form."""
    return {
        name: estimate([getattr(one, field) for one in draws], groups, seed=seed)
        for name, field in MEASURES.items()
    }


def values_of(estimates: Mapping[str, Estimate]) -> dict[str, Any]:
    """Return estimates as plain values."""
    return {name: one.value() for name, one in estimates.items()}


def _by_group(values: NDArray[Any], members: NDArray[np.intp]) -> Floats:
    return np.stack([np.bincount(members, weights=row) for row in values])


def _resampled(sums: Floats, sizes: Floats, random: np.random.Generator) -> Floats:
    draws, groups = sums.shape
    means = np.empty(RESAMPLES)
    for number in range(RESAMPLES):
        chosen = np.bincount(random.integers(draws, size=draws), minlength=draws)
        taken = np.bincount(random.integers(groups, size=groups), minlength=groups)
        means[number] = (chosen @ sums @ taken) / (chosen @ sizes @ taken)
    return means
