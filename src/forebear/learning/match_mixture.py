"""Which pairs are of one person, when nobody has said?

The model of Fellegi and Sunter (1969), fitted by expectation and maximization as Winkler and
Splink do it.  Pairs are of two classes, the same person or not; each *comparison* (surname,
dates, places, ...) has an outcome, and within a class the comparisons do not depend on each
other.  m is how often an outcome is seen among pairs of one person, u among the others; a
pair's evidence is the sum of log2(m / u).

Matches are few, so the class drifts if it is let go: toward people of one village, who agree in
much and are not the same.  Four things hold it.  The first chances are those of the weights
known before.  m is drawn toward what those weights say (m0 = u * 2^bits), which counts as
``PRIOR_PAIRS`` pairs, so a handful cannot overturn it.  u is taken half from pairs at
random, which no match can spoil, and half from the candidates that are likely no match, who
share the villages of their names; where the gate chooses by the comparison, from the latter
alone.  And there are few rounds: the gain is in the first ones, the drift in the later.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

PRIOR_PAIRS = 100.0  # of one person, what the weights known before count for
PRIOR_QUERIES = 20.0  # what the first guess of matches a query counts for
FIRST_MATCHES = 0.3  # right records a query has in a list, before anything is seen
MOST_MATCHES = 1.0  # on average; more would be the village
HALF = 0.5  # seen of every outcome beforehand, so that no rate is 0
ROUNDS = 3

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One comparison: what came out of it for each pair, and what that was thought worth."""

    name: str
    outcomes: Ints  # of each pair, by number; -1 where the query does not ask
    known_bits: Floats  # of each outcome
    random_counts: Floats | None = None  # of each outcome; None where the gate chooses by it


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """m and u of each outcome of a comparison."""

    match: Floats
    other: Floats

    @property
    def bits(self) -> Floats:
        """Return the evidence of each outcome; the last is for a comparison not asked."""
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
    comparisons: Sequence[Comparison], owners: Ints, *, first: Floats, rounds: int = ROUNDS
) -> Mixture:
    """Return the chances of pairs.

    ``owners`` says which query each pair belongs to, ``first`` has the chances to start from.
    """
    queries = int(owners.max()) + 1 if owners.size else 0
    crowd = np.bincount(owners, minlength=queries)[owners]
    chances, rates = first, {}
    for _ in range(rounds):
        per_query = (chances.sum() + PRIOR_QUERIES * FIRST_MATCHES) / (queries + PRIOR_QUERIES)
        rates = {each.name: _rates(each, chances) for each in comparisons}
        before = np.clip(min(per_query, MOST_MATCHES) / np.maximum(crowd, 1), 1e-9, 0.5)
        evidence = np.log2(before / (1 - before))
        for each in comparisons:
            evidence += rates[each.name].bits[each.outcomes]
        chances = np.asarray(expit(evidence * np.log(2)), np.float64)
    return Mixture(chances=chances, rates=rates)


def _rates(each: Comparison, chances: Floats) -> Rates:
    other = _shares(_counts(each, 1 - chances) + HALF)
    if each.random_counts is not None:
        other = (other + _shares(each.random_counts + HALF)) / 2
    known = _shares(other * np.exp2(each.known_bits))
    return Rates(match=_shares(_counts(each, chances) + PRIOR_PAIRS * known), other=other)


def _counts(each: Comparison, weights: Floats) -> Floats:
    asked = each.outcomes >= 0
    found = np.bincount(each.outcomes[asked], weights[asked], minlength=each.known_bits.size)
    return np.asarray(found, np.float64)


def _shares(counts: Floats) -> Floats:
    return np.asarray(counts / counts.sum(), np.float64)
