"""Does what the paper claims hold here?  Holds, does not hold, or undecided.

An ordering is asked by a randomization test, and all orderings of an experiment are one family
(Holm): what chance could have done is undecided.  The interval is the paired bootstrap's.
A learner that saw only a sample of the training queries is not found worse by a little: more
queries might have brought that much.  Likeness holds if the interval lies within a margin, and
fails if it lies beyond.  A ratio of costs is asked in every fold or seed: all must agree.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from forebear.learning.measures import compare
from forebear_lab.evaluation.compare import holm, randomization_test

Answer = Literal["holds", "does not hold", "undecided"]
LEVEL = 0.05
LIKE = 0.01  # of NDCG: nearer than this is alike
MORE_QUERIES = 0.05  # what a learner might gain that saw only a sample of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of a claim."""

    claim: str
    answer: Answer
    found: str  # the figures


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ordering:
    """A claim that the first values are greater than the second, query by query."""

    claim: str
    better: np.ndarray[tuple[int], np.dtype[np.float64]]
    worse: np.ndarray[tuple[int], np.dtype[np.float64]]
    better_saw: str = ""  # how few of the training queries, if not all
    worse_saw: str = ""


def resamples_for(queries: int) -> int:
    """Return how often chance is tried: less where each time costs much."""
    return 1000 if queries > 5000 else 2000


def judge_orderings(orderings: Sequence[Ordering], *, seed: int) -> list[Verdict]:
    """Return the verdict of each ordering, all taken as one family."""
    found = [(*_compare(one, seed), one) for one in orderings]
    adjusted = holm([p_value for _, _, _, p_value, _ in found])
    verdicts = []
    for (difference, low, high, _, one), p_value in zip(found, adjusted, strict=True):
        answer: Answer = "undecided"
        loser_saw = one.worse_saw if difference > 0 else one.better_saw
        if p_value <= LEVEL and not (loser_saw and abs(difference) < MORE_QUERIES):
            answer = "holds" if difference > 0 else "does not hold"
        figures = f"difference {difference:+.4f} [{low:+.4f}, {high:+.4f}], p {p_value:.4f}"
        figures += f"; the lower one: {loser_saw}" if loser_saw else ""
        verdicts.append(Verdict(claim=one.claim, answer=answer, found=figures))
    return verdicts


def judge_likeness(one: Ordering, *, seed: int) -> Verdict:
    """Return whether two sets of values are alike."""
    difference, low, high, _ = _compare(one, seed)
    answer: Answer = "undecided"
    if low > -LIKE and high < LIKE:
        answer = "holds"
    elif low > LIKE or high < -LIKE:
        answer = "does not hold"
    found = f"difference {difference:+.4f} [{low:+.4f}, {high:+.4f}], alike within {LIKE}"
    return Verdict(claim=one.claim, answer=answer, found=found)


def judge_ratio(
    claim: str,
    slow: Sequence[float],
    quick: Sequence[float],
    *,
    at_least: float,
    handicap: str = "",
) -> Verdict:
    """Return whether one cost is so many times another, in every fold or seed.

    A ``handicap`` says why the slow one had less to do: then it may be found slower all the
    same, but not quicker.
    """
    ratios = [s / max(q, 1e-9) for s, q in zip(slow, quick, strict=True)]
    agree = {ratio >= at_least for ratio in ratios}
    answer: Answer = "undecided"
    if len(agree) == 1:
        answer = "holds" if agree == {True} else "does not hold"
    if handicap and answer == "does not hold":
        answer = "undecided"
    shown = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    found = f"ratio {shown}; asked for {at_least:g}"
    return Verdict(claim=claim, answer=answer, found=f"{found}; {handicap}" if handicap else found)


def difference_interval(
    before: np.ndarray[tuple[int], np.dtype[np.float64]],
    after: np.ndarray[tuple[int], np.dtype[np.float64]],
    *,
    seed: int,
) -> tuple[float, float, float]:
    """Return the mean difference, after minus before, and its 95 % interval."""
    found = compare(_named(before), _named(after), seed=seed, resamples=resamples_for(before.size))
    return found.difference, found.low, found.high


def _compare(one: Ordering, seed: int) -> tuple[float, float, float, float]:
    interval = difference_interval(one.worse, one.better, seed=seed)
    p_value = randomization_test(
        _named(one.worse),
        _named(one.better),
        seed=seed,
        resamples=resamples_for(one.better.size),
    )
    return *interval, p_value


def _named(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Mapping[str, float]:
    return {f"{number:08d}": value for number, value in enumerate(values.tolist())}
