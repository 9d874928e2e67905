"""Is a model better by more than luck, however often one looks?  The normal-mixture e-value.

For the differences d of n searches, after minus before, with the variance v and the sum S, the
likelihood ratio of a gain m against none is exp(m S / v - n m^2 / 2v).  Its mean over gains, drawn
as the absolute value of a normal number with the standard deviation t, is

    M = 2 a^-1/2 exp(S^2 t^2 / (2 v^2 a)) Phi(S t / (v sqrt(a))),   a = 1 + n t^2 / v

If the model is no better, the mean of M is at most 1 after every search, so M ever reaches 20 with
a chance of at most 1/20 (Ville's inequality).  So it may be looked at any time, unlike a t-test
(Robbins, Statistical methods related to the law of the iterated logarithm, Annals of Mathematical
Statistics 1970; Howard et al., Time-uniform, nonparametric, nonasymptotic confidence sequences,
Annals of Statistics 2021).

This holds for normal differences of a known variance.  Differences of NDCG are not normal, and v is
estimated, with ten searches of a standard deviation of .05 added, so the chance is about 1/20 only;
`docs/decisions/0031-promotion.md` has simulated rates.  Searches for one person are alike: v is
the mean square of the sums over groups, which counts what they have in common.  A gain that all
searches of large groups share counts as spread too, so those need more searches.

Each look takes M of all searches at once.  M of two looks must never be multiplied, because they
share searches.
"""

from dataclasses import dataclass
from math import exp, log, sqrt

from scipy.special import log_ndtr

from forebear.learning.measures import PairedDifferences

GAIN_SD = 0.02  # t
USUAL_SD = 0.05  # of the differences
USUAL_SEARCHES = 10  # how many of that many count in the variance
THRESHOLD = 20.0
FAR = 100_000  # searches; more are not counted out


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Differences of many searches, summed up."""

    searches: float  # n, or their weight
    total: float  # S
    variance: float  # v

    @property
    def value(self) -> float:
        """Return M, at most 1e300."""
        return exp(min(_log_mixture(self.searches, self.total, self.variance), 690.0))

    @property
    def is_enough(self) -> bool:
        """Return whether M has reached the threshold."""
        return self.value >= THRESHOLD

    def searches_needed(self) -> int | None:
        """Return with how many searches in all M is enough, if further ones are alike.

        None means that it would take very many, or that no number is enough.
        """
        if not self.searches or self.total <= 0:
            return None
        mean, low, high = self.total / self.searches, 0, FAR
        if not self._is_enough_at(high, mean):
            return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._is_enough_at(middle, mean) else (middle, high)
        return high

    def _is_enough_at(self, searches: int, mean: float) -> bool:
        return _log_mixture(searches, mean * searches, self.variance) >= log(THRESHOLD)


def gather_evidence(differences: PairedDifferences) -> Evidence:
    """Return the evidence of paired differences; what is in one group counts as dependent."""
    searches = float(differences.sizes.sum())
    squares = float(differences.sums @ differences.sums) + USUAL_SEARCHES * USUAL_SD**2
    return Evidence(
        searches=searches,
        total=float(differences.sums.sum()),
        variance=squares / (searches + USUAL_SEARCHES),
    )


def _log_mixture(searches: float, total: float, variance: float) -> float:
    """Return the natural logarithm of M.

    >>> _log_mixture(0, 0.0, 0.0025)
    0.0
    """
    spread = 1 + searches * GAIN_SD**2 / variance
    distance = total * GAIN_SD / (variance * sqrt(spread))
    return log(2) - log(spread) / 2 + distance**2 / 2 + float(log_ndtr(distance))
