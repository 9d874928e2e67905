"""Does what the paper claims hold here?  It holds, does not hold, or is undecided.

An ordering is tested by a randomization test, and all orderings of an experiment are one family
(Holm): what chance could have done is undecided.  The interval is the paired bootstrap's.  A
learner that saw only a sample of the training queries is not judged worse by a small difference:
more queries might have brought that much.  A learner that was tested on some folds only is compared
on their queries, and the figures say which.  Similarity holds if the interval lies within a margin,
and fails if it lies beyond.  A ratio of costs must agree in every fold or seed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from forebear.kernels.ndcg import Floats
from forebear.learning.measures import compare
from forebear_lab.evaluation.compare import holm, randomization_test

Answer = Literal["holds", "does not hold", "undecided"]
LEVEL = 0.05
SIMILAR = 0.01  # of NDCG: closer than this is similar
MORE_QUERIES = 0.05  # what a learner might gain that saw only a sample of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The verdict on a claim."""

    claim: str
    answer: Answer
    figures: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ordering:
    """A claim that the first values are greater than the second, query by query."""

    claim: str
    better: Floats
    worse: Floats
    better_saw: str = ""  # how few of the training queries, if not all
    worse_saw: str = ""
    condition: str = ""  # on which of the folds, if not on all


def verdict_value(verdict: Verdict) -> dict[str, str]:
    """Return a verdict as it is written to JSON."""
    return {"claim": verdict.claim, "answer": verdict.answer, "found": verdict.figures}


def resamples_for(queries: int) -> int:
    """Return how many resamples to take: fewer where each costs much."""
    return 1000 if queries > 5000 else 2000


def judge_orderings(orderings: Sequence[Ordering], *, seed: int) -> list[Verdict]:
    """Return the verdict of each ordering, all taken as one family."""
    compared = [(*_compare(one, seed), one) for one in orderings]
    adjusted = holm([p_value for _, _, _, p_value, _ in compared])
    verdicts = []
    for (difference, low, high, _, one), p_value in zip(compared, adjusted, strict=True):
        answer: Answer = "undecided"
        loser_saw = one.worse_saw if difference > 0 else one.better_saw
        if p_value <= LEVEL and not (loser_saw and abs(difference) < MORE_QUERIES):
            answer = "holds" if difference > 0 else "does not hold"
        figures = f"difference {difference:+.4f} [{low:+.4f}, {high:+.4f}], p {p_value:.4f}"
        figures += f"; the lower one: {loser_saw}" if loser_saw else ""
        figures += f"; on {one.condition}" if one.condition else ""
        verdicts.append(Verdict(claim=one.claim, answer=answer, figures=figures))
    return verdicts


def judge_similarity(one: Ordering, *, seed: int) -> Verdict:
    """Return whether two sets of values are similar."""
    difference, low, high, _ = _compare(one, seed)
    answer: Answer = "undecided"
    if low > -SIMILAR and high < SIMILAR:
        answer = "holds"
    elif low > SIMILAR or high < -SIMILAR:
        answer = "does not hold"
    figures = f"difference {difference:+.4f} [{low:+.4f}, {high:+.4f}], alike within {SIMILAR}"
    return Verdict(claim=one.claim, answer=answer, figures=figures)


def judge_ratio(
    claim: str,
    slow: Sequence[float],
    quick: Sequence[float],
    *,
    at_least: float,
    handicap: str = "",
    condition: str = "",
) -> Verdict:
    """Return whether one cost is ``at_least`` times another, in every fold or seed.

    A ``handicap`` says why the slow one had less to do: then it may be judged slower all the
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
    figures = f"ratio {shown}; needs at least {at_least:g}"
    figures += f"; {handicap}" if handicap else ""
    figures += f"; on {condition}" if condition else ""
    return Verdict(claim=claim, answer=answer, figures=figures)


def difference_interval(
    before: Floats,
    after: Floats,
    *,
    seed: int,
) -> tuple[float, float, float]:
    """Return the mean difference, after minus before, and its 95 % interval."""
    result = compare(_named(before), _named(after), seed=seed, resamples=resamples_for(before.size))
    return result.difference, result.low, result.high


def _compare(one: Ordering, seed: int) -> tuple[float, float, float, float]:
    interval = difference_interval(one.worse, one.better, seed=seed)
    p_value = randomization_test(
        _named(one.worse),
        _named(one.better),
        seed=seed,
        resamples=resamples_for(one.better.size),
    )
    return *interval, p_value


def _named(values: Floats) -> Mapping[str, float]:
    return {f"{number:08d}": value for number, value in enumerate(values.tolist())}
