"""Do probabilities mean what they say?  Measures over the first hits of many searches."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forebear.learning.probability import JudgedHits
from forebear.search.model import ProbabilityConstants
from forebear.search.results.probability import UNLIKELY, pool, to_probability

Floats = NDArray[np.float64]
FIRST = 20  # hits of each search that are judged
BINS = 15
CLIP = 1e-6  # a probability of 0 for a right record shall not decide everything
INVERSION = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The first hits of many searches: what was stated of each, and whether it is right."""

    stated: Floats
    right: Floats
    ranks: NDArray[np.int64]
    searches: int
    inversions: int  # searches in which a later hit is more than five points higher


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """How good a forecast is."""

    mass: float  # |stated - right| over bins of equal probability mass, per right record
    ece: float  # over bins of equal count, hits of 5 % or more
    ece_all: float  # the same over all hits
    sum: float  # of the probabilities, per right record
    log_loss: float  # per search, in nats
    rank_log_loss: float  # of a baseline that knows only how often each rank is right
    inversions: int

    @property
    def gain(self) -> float:
        """Return how much lower the log loss is than the baseline's, as a share."""
        return 1 - self.log_loss / self.rank_log_loss


def forecast(
    searches: Sequence[JudgedHits],
    constants: ProbabilityConstants,
    offset: float = 0.0,
    *,
    first: int = FIRST,
) -> Forecast:
    """Return the pooled probabilities of the first hits."""
    stated, right, ranks = [], [], []
    inversions = 0
    for search in searches:
        chances = to_probability(pool(search.hits.log_odds(constants, offset)))[:first]
        rises = chances - np.minimum.accumulate(chances) if len(chances) else chances
        inversions += bool((rises > INVERSION).any())
        stated.append(chances)
        right.append(search.labels[:first].astype(np.float64))
        ranks.append(np.arange(len(chances)))
    return Forecast(
        stated=np.concatenate(stated),
        right=np.concatenate(right),
        ranks=np.concatenate(ranks),
        searches=len(searches),
        inversions=inversions,
    )


def measure(result: Forecast) -> Measures:
    """Return the measures of a forecast."""
    stated, right = result.stated, result.right
    of_rank = np.bincount(result.ranks, right) / np.maximum(1, np.bincount(result.ranks))
    likely = stated >= UNLIKELY
    return Measures(
        mass=mass_error(stated, right),
        ece=calibration_error(stated[likely], right[likely]),
        ece_all=calibration_error(stated, right),
        sum=float(stated.sum() / max(1.0, right.sum())),
        log_loss=_log_loss(stated, right) / result.searches,
        rank_log_loss=_log_loss(of_rank[result.ranks], right) / result.searches,
        inversions=result.inversions,
    )


def reliability(stated: Floats, right: Floats, bins: int = BINS) -> list[tuple[float, float, int]]:
    """Return for bins of equal count what was stated, how many were right, and the size."""
    order = np.argsort(stated, kind="stable")
    return [
        (float(stated[part].mean()), float(right[part].mean()), len(part))
        for part in np.array_split(order, bins)
        if len(part)
    ]


def calibration_error(stated: Floats, right: Floats) -> float:
    """Return the expected calibration error over bins of equal count."""
    rows = reliability(stated, right)
    return sum(abs(a - b) * size for a, b, size in rows) / max(1, len(stated))


def mass_error(stated: Floats, right: Floats) -> float:
    """Return the calibration error over bins of equal probability mass, per right record."""
    order = np.argsort(stated, kind="stable")
    before = np.cumsum(stated[order]) - stated[order]
    bins = np.minimum((before / max(stated.sum(), 1e-300) * BINS).astype(np.int64), BINS - 1)
    errors = np.bincount(bins, stated[order] - right[order], minlength=BINS)
    return float(np.abs(errors).sum() / max(1.0, right.sum()))


def _log_loss(stated: Floats, right: Floats) -> float:
    chance = np.clip(stated, CLIP, 1 - CLIP)
    return float(-(right * np.log(chance) + (1 - right) * np.log(1 - chance)).sum())
