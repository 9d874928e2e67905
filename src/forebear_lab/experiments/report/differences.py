"""A measure's mean with its interval, and its distance from a baseline, in points and in percent.

The paper heads a column "%" and prints points: 0.7106 - 0.6072 is 10.34 points of NDCG, and
17.0 percent of the baseline.  Both are given here.
"""

from dataclasses import dataclass

import numpy as np

from forebear_lab.experiments.fuser import Row
from forebear_lab.experiments.verdicts import difference_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """How far a method is from the baseline by one measure."""

    mean: float
    half_width: float  # of the mean's 95 % interval
    points: float  # 100 * (mean - baseline's mean)
    points_low: float
    points_high: float
    percent: float  # of the baseline's mean

    @property
    def shown(self) -> tuple[str, str, str]:
        """Return the mean, the points and the percentage as they are shown."""
        return (
            f"{self.mean:.4f} ± {self.half_width:.4f}",
            f"{self.points:+.2f} [{self.points_low:+.2f}, {self.points_high:+.2f}]",
            f"{self.percent:+.1f} %",
        )


def measure_distance(baseline: Row, values: Row, *, seed: int) -> Distance:
    """Compare values with a baseline's, query by query."""
    difference, low, high = difference_interval(baseline, values, seed=seed)
    mean = float(values.mean())
    error = float(values.std(ddof=1)) / np.sqrt(values.size) if values.size > 1 else 0.0
    base = float(baseline.mean())
    return Distance(
        mean=mean,
        half_width=1.96 * float(error),
        points=100 * difference,
        points_low=100 * low,
        points_high=100 * high,
        percent=100 * difference / base if base else 0.0,
    )
