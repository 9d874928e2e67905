"""Which pairs are of one person, when no one has judged them?

The model of Fellegi and Sunter (1969), fitted by expectation and maximization as Winkler and
Splink do it.  Pairs are of two classes, the same person or not; each *comparison* (surname,
dates, places, ...) has an outcome, and within a class the comparisons do not depend on each
other.  m is how often an outcome is seen among pairs of one person, u among the others; a
pair's evidence is the sum of log2(m / u).

Matches are few, so without limits the class drifts toward people of one village, who agree in much
and are not the same.  Four things prevent it.  The first chances are those of the previous weights.
m is pulled toward those weights (m0 = u * 2^bits), which count as ``PRIOR_PAIRS`` pairs, so a
handful cannot overturn them.  u is taken half from random pairs, which contain hardly any match,
and half from the candidates that are likely no match, who share the villages of their names; where
the gate chooses by the comparison, from the latter alone.  And there are few rounds: the gain is in
the first ones, the drift in the later.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from forebear.kernels.ndcg import Floats, Integers

PRIOR_PAIRS = 100.0  # of one person, what the previous weights count for
PRIOR_QUERIES = 20.0  # what the first guess of matches per query counts for
FIRST_MATCHES = 0.3  # first guess of right records per query and list
MAX_MATCHES = 1.0  # on average; more would be the village
HALF = 0.5  # added to the count of every outcome, so that no rate is 0
ROUNDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One comparison: its outcome for each pair, and what each outcome is worth a priori."""

    name: str
    outcomes: Integers  # of each pair, by number; -1 where the query has nothing to compare
    prior_bits: Floats  # of each outcome
    random_counts: Floats | None = None  # of each outcome; None where the gate chooses by it


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """m and u of each outcome of a comparison."""

    match: Floats
    other: Floats

    @property
    def bits(self) -> Floats:
        """Return the evidence of each outcome; the last is for a pair that is not compared."""
        return np.append(np.log2(self.match / self.other), 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixture:
    """The chance that each pair is of one person, and the rates behind it."""

    chances: Floats
    rates: dict[str, Rates]  # by comparison

    @property
    def matches(self) -> float:
        """Return how many of the pairs are expected to be of one person."""
        return float(self.chances.sum())


def fit_mixture(
    comparisons: Sequence[Comparison], owners: Integers, *, first: Floats, rounds: int = ROUNDS
) -> Mixture:
    """Return the chances of pairs.

    ``owners`` says which query each pair belongs to, ``first`` has the chances to start from.
    """
    queries = int(owners.max()) + 1 if owners.size else 0
    crowd = np.bincount(owners, minlength=queries)[owners]
    chances, rates = first, {}
    for _ in range(rounds):
        per_query = (chances.sum() + PRIOR_QUERIES * FIRST_MATCHES) / (queries + PRIOR_QUERIES)
        rates = {comparison.name: _rates(comparison, chances) for comparison in comparisons}
        before = np.clip(min(per_query, MAX_MATCHES) / np.maximum(crowd, 1), 1e-9, 0.5)
        evidence = np.log2(before / (1 - before))
        for comparison in comparisons:
            evidence += rates[comparison.name].bits[comparison.outcomes]
        chances = np.asarray(expit(evidence * np.log(2)), np.float64)
    return Mixture(chances=chances, rates=rates)


def _rates(comparison: Comparison, chances: Floats) -> Rates:
    other = _shares(_counts(comparison, 1 - chances) + HALF)
    if comparison.random_counts is not None:
        other = (other + _shares(comparison.random_counts + HALF)) / 2
    prior = _shares(other * np.exp2(comparison.prior_bits))
    return Rates(match=_shares(_counts(comparison, chances) + PRIOR_PAIRS * prior), other=other)


def _counts(comparison: Comparison, weights: Floats) -> Floats:
    rows = comparison.outcomes >= 0
    counts = np.bincount(
        comparison.outcomes[rows], weights[rows], minlength=comparison.prior_bits.size
    )
    return np.asarray(counts, np.float64)


def _shares(counts: Floats) -> Floats:
    return np.asarray(counts / counts.sum(), np.float64)
