"""How likely is a difference this large if the two rankings were the same in kind?

If so, which of the two values of a query is whose is a matter of chance: change the sign of
the differences at random, many times, and count how often the mean is as far from 0 as the
one found (Fisher's randomization test, two-sided).  Queries that belong together change
sign together.  With few of them every pattern of signs is tried, and the answer is exact.
"""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.kernels.ndcg import Floats
from forebear.learning.measures import pair_differences

_SIGNS_AT_ONCE = 4_000_000  # keeps the table of signs within some 32 MB


def randomization_test(
    before: Mapping[str, float],
    after: Mapping[str, float],
    *,
    seed: int,
    resamples: int = 10_000,
    groups: Mapping[str, str] | None = None,
) -> float:
    """Return the p-value of the mean difference of two rankings, given by query."""
    if resamples < 1:
        raise InputError(f"{resamples} resamples give no p-value")
    sums = pair_differences(before, after, groups).sums
    patterns = 1 << int(sums.size)
    exact = patterns <= resamples
    flips = _every_flip(sums.size) if exact else _random_flips(sums.size, seed, resamples)
    extreme = sum(_count_extreme(sums, flipped) for flipped in flips)
    if exact:
        return extreme / patterns
    return (1 + extreme) / (1 + resamples)  # the pattern that was found is one of those possible


def _count_extreme(sums: Floats, flipped: NDArray[np.float64]) -> int:
    total = sums.sum()
    flipped_totals = total - 2 * (flipped @ sums)
    # sums that are equal but for their order of addition must count as equal
    slack = 1e-12 * np.abs(sums).sum()
    return int(np.count_nonzero(np.abs(flipped_totals) >= abs(total) - slack))


def _every_flip(size: int) -> Iterator[NDArray[np.float64]]:
    patterns = np.arange(2**size)
    yield (patterns[:, np.newaxis] >> np.arange(size) & 1).astype(np.float64)


def _random_flips(size: int, seed: int, resamples: int) -> Iterator[NDArray[np.float64]]:
    random = np.random.default_rng(seed)
    at_once = max(1, _SIGNS_AT_ONCE // size)
    for done in range(0, resamples, at_once):
        rows = min(at_once, resamples - done)
        bits = np.frombuffer(random.bytes(-(-rows * size // 8)), np.uint8)
        yield np.unpackbits(bits, count=rows * size).reshape(rows, size).astype(np.float64)
