"""Is the one ranking better than the other, or was it the luck of the queries?

Both are measured on the same queries, so their difference is taken query by query; drawing
the queries again with replacement, many times, shows how far the mean difference moves by
chance (the paired bootstrap, percentile interval).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from forebear.errors import InputError

_DRAWS_AT_ONCE = 4_000_000  # keeps the table of drawn queries within some 32 MB


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The mean difference, after minus before, and where chance would leave it."""

    difference: float
    low: float
    high: float
    confidence: float
    query_count: int

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
) -> Comparison:
    """Compare one measure of two rankings, given by query, by paired bootstrap."""
    differences = _differences(before, after)
    if resamples < 1 or not 0 < confidence < 1:
        raise InputError(f"{resamples} resamples at confidence {confidence} give no interval")
    means = _resampled_means(differences, np.random.default_rng(seed), resamples)
    outside = (1 - confidence) / 2
    low, high = np.quantile(means, [outside, 1 - outside])
    return Comparison(
        difference=float(differences.mean()),
        low=float(low),
        high=float(high),
        confidence=confidence,
        query_count=differences.size,
    )


def _differences(
    before: Mapping[str, float], after: Mapping[str, float]
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    if not before:
        raise InputError("there is no query to compare on")
    if before.keys() != after.keys():
        alone = sorted(before.keys() ^ after.keys())
        raise InputError(f"only one of the two rankings was measured on query {alone[0]!r}")
    # sorted: the answer must not depend on the order in which queries were read
    return np.array([after[query] - before[query] for query in sorted(before)], dtype=np.float64)


def _resampled_means(
    differences: np.ndarray[tuple[int], np.dtype[np.float64]],
    random: np.random.Generator,
    resamples: int,
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    size = differences.size
    at_once = max(1, _DRAWS_AT_ONCE // size)
    parts = []
    for done in range(0, resamples, at_once):
        drawn = random.integers(size, size=(min(at_once, resamples - done), size))
        parts.append(differences[drawn].mean(axis=1))
    return np.concatenate(parts)
