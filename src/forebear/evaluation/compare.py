"""Is the one ranking better than the other, or was it the luck of the queries?

Both are measured on the same queries, so their difference is taken query by query; drawing
the queries again with replacement, many times, shows how far the mean difference moves by
chance (the paired bootstrap, percentile interval).  Queries that belong together are drawn
together.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from forebear.errors import InputError
from forebear.evaluation.query_groups import Floats, PairedDifferences, pair_differences

_DRAWS_AT_ONCE = 4_000_000  # keeps the table of drawn queries within some 32 MB


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The mean difference, after minus before, and where chance would leave it."""

    difference: float
    low: float
    high: float
    confidence: float
    query_count: int
    group_count: int = 0  # how many groups of queries were drawn; 0: each query by itself

    @property
    def decided(self) -> bool:
        """Say whether the interval leaves out 0."""
        return self.low > 0 or self.high < 0


def compare(
    before: Mapping[str, float],
    after: Mapping[str, float],
    *,
    seed: int,
    resamples: int = 10_000,
    confidence: float = 0.95,
    groups: Mapping[str, str] | None = None,
) -> Comparison:
    """Compare one measure of two rankings, given by query, by paired bootstrap."""
    differences = pair_differences(before, after, groups)
    if resamples < 1 or not 0 < confidence < 1:
        raise InputError(f"{resamples} resamples at confidence {confidence} give no interval")
    means = _resampled_means(differences, np.random.default_rng(seed), resamples)
    outside = (1 - confidence) / 2
    low, high = np.quantile(means, [outside, 1 - outside])
    return Comparison(
        difference=differences.mean,
        low=float(low),
        high=float(high),
        confidence=confidence,
        query_count=len(before),
        group_count=differences.sums.size if groups is not None else 0,
    )


def _resampled_means(
    differences: PairedDifferences, random: np.random.Generator, resamples: int
) -> Floats:
    sums, sizes = differences.sums, differences.sizes
    at_once = max(1, _DRAWS_AT_ONCE // sums.size)
    parts = []
    for done in range(0, resamples, at_once):
        drawn = random.integers(sums.size, size=(min(at_once, resamples - done), sums.size))
        parts.append(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
    return np.concatenate(parts)
