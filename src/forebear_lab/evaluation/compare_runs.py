"""Which of several runs is better, by which measure, and which differences are no chance?

Every later run is compared with the first, or each with each; all these comparisons, over
all measures, are one family.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from forebear.errors import InputError
from forebear.learning.measures import Comparison, compare
from forebear_lab.evaluation.evaluate import Evaluation
from forebear_lab.evaluation.holm import holm
from forebear_lab.evaluation.measures.measure import Measure
from forebear_lab.evaluation.randomization_test import randomization_test

Pairs = Literal["first", "all"]


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
    adjusted_p_value: float  # for all comparisons that were made

    @property
    def decided(self) -> bool:
        """Say whether the difference stands in the family of comparisons."""
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
    """Compare the runs, given by name; ``progress`` hears how many comparisons are done."""
    if len(evaluations) < 2:
        raise InputError(f"{len(evaluations)} runs cannot be compared; give two or more")
    asked = [(m, b, a) for m in measures for b, a in _pairs(list(evaluations), pairs)]
    found = []
    for number, (measure, before, after) in enumerate(asked):
        if progress:
            progress(number, len(asked))
        values = evaluations[before].per_query(measure), evaluations[after].per_query(measure)
        interval = compare(
            *values, seed=seed, resamples=resamples, confidence=confidence, groups=groups
        )
        p_value = randomization_test(*values, seed=seed, resamples=resamples, groups=groups)
        found.append((interval, p_value))
    adjusted = holm([p_value for _, p_value in found])
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
            asked, found, adjusted, strict=True
        )
    )


def _pairs(names: Sequence[str], pairs: Pairs) -> list[tuple[str, str]]:
    if pairs == "all":
        return list(combinations(names, 2))
    return [(names[0], name) for name in names[1:]]
