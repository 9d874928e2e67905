"""Which of several runs is better, and which differences are more than chance?

Every later run is compared with the first, or every pair.  A comparison has an interval by the
paired bootstrap (`forebear.learning.measures`) and a p-value by Fisher's randomization test: if
the two rankings do not differ, which of the two values of a query belongs to which is a matter of
chance, so the signs of the differences are changed at random, and the p-value is the share of
patterns whose mean is at least as far from 0.  Queries of one group change sign together.  With
few queries every pattern of signs is tried, and the p-value is exact.

All comparisons of a call, over all measures, are one family.  Twenty comparisons at the
five-percent level show one difference where there is none; Holm's step-down procedure keeps the
chance of any false difference in the family at the level (Holm 1979).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from forebear.errors import InputError
from forebear.kernels.ndcg import Floats
from forebear.learning.measures import Comparison, compare, pair_differences
from forebear_lab.evaluation.evaluate import Evaluation
from forebear_lab.evaluation.measures.measure import Measure

Pairs = Literal["first", "all"]

_SIGNS_AT_ONCE = 4_000_000  # keeps the table of signs within some 32 MB


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """One measure of two runs."""

    measure: Measure
    before: str
    after: str
    mean_before: float
    mean_after: float
    comparison: Comparison
    p_value: float
    adjusted_p_value: float  # for all comparisons of the family

    @property
    def decided(self) -> bool:
        """Return whether the difference is significant within the family."""
        return self.adjusted_p_value <= 1 - self.comparison.confidence


def compare_runs(
    evaluations: Mapping[str, Evaluation],
    measures: Sequence[Measure],
    *,
    seed: int,
    resamples: int = 10_000,
    confidence: float = 0.95,
    groups: Mapping[str, str] | None = None,
    pairs: Pairs = "first",
    progress: Callable[[int, int], None] | None = None,
) -> tuple[RunComparison, ...]:
    """Compare the runs, given by name.

    ``progress`` is called with the number of finished comparisons and of all.
    """
    if len(evaluations) < 2:
        raise InputError(f"{len(evaluations)} runs cannot be compared; give two or more")
    requested = [(m, b, a) for m in measures for b, a in _pairs(list(evaluations), pairs)]
    results = []
    for number, (measure, before, after) in enumerate(requested):
        if progress:
            progress(number, len(requested))
        values = evaluations[before].per_query(measure), evaluations[after].per_query(measure)
        interval = compare(
            *values, seed=seed, resamples=resamples, confidence=confidence, groups=groups
        )
        p_value = randomization_test(*values, seed=seed, resamples=resamples, groups=groups)
        results.append((interval, p_value))
    adjusted = holm([p_value for _, p_value in results])
    return tuple(
        RunComparison(
            measure=measure,
            before=before,
            after=after,
            mean_before=evaluations[before].mean(measure),
            mean_after=evaluations[after].mean(measure),
            comparison=interval,
            p_value=p_value,
            adjusted_p_value=in_family,
        )
        for (measure, before, after), (interval, p_value), in_family in zip(
            requested, results, adjusted, strict=True
        )
    )


def randomization_test(
    before: Mapping[str, float],
    after: Mapping[str, float],
    *,
    seed: int,
    resamples: int = 10_000,
    groups: Mapping[str, str] | None = None,
) -> float:
    """Return the two-sided p-value of the mean difference of two rankings, given by query."""
    if resamples < 1:
        raise InputError(f"{resamples} resamples give no p-value")
    sums = pair_differences(before, after, groups).sums
    patterns = 1 << int(sums.size)
    exact = patterns <= resamples
    flips = _all_flips(sums.size) if exact else _random_flips(sums.size, seed, resamples)
    extreme = sum(_count_extreme(sums, flipped) for flipped in flips)
    if exact:
        return extreme / patterns
    return (1 + extreme) / (1 + resamples)  # the observed pattern is one of the possible ones


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the adjusted p-value of each comparison of a family.

    The smallest of m p-values is multiplied by m, the next by m - 1, and so on, never below the
    one before it.

    >>> [round(value, 3) for value in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    for value in p_values:
        if not 0 <= value <= 1:
            raise InputError(f"a p-value lies between 0 and 1, and is not {value}")
    adjusted, lowest = [0.0] * len(p_values), 0.0
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for place, number in enumerate(order):
        lowest = max(lowest, min(1.0, (len(order) - place) * p_values[number]))
        adjusted[number] = lowest
    return adjusted


def _pairs(names: Sequence[str], pairs: Pairs) -> list[tuple[str, str]]:
    if pairs == "all":
        return list(combinations(names, 2))
    return [(names[0], name) for name in names[1:]]


def _count_extreme(sums: Floats, flipped: Floats) -> int:
    total = sums.sum()
    flipped_totals = total - 2 * (flipped @ sums)
    # sums that are equal but for their order of addition must count as equal
    slack = 1e-12 * np.abs(sums).sum()
    return int(np.count_nonzero(np.abs(flipped_totals) >= abs(total) - slack))


def _all_flips(size: int) -> Iterator[Floats]:
    patterns = np.arange(2**size)
    yield (patterns[:, np.newaxis] >> np.arange(size) & 1).astype(np.float64)


def _random_flips(size: int, seed: int, resamples: int) -> Iterator[Floats]:
    random = np.random.default_rng(seed)
    at_once = max(1, _SIGNS_AT_ONCE // size)
    for done in range(0, resamples, at_once):
        rows = min(at_once, resamples - done)
        bits = np.frombuffer(random.bytes(-(-rows * size // 8)), np.uint8)
        yield np.unpackbits(bits, count=rows * size).reshape(rows, size).astype(np.float64)
