"""Does what the paper claims of fusion hold here?  And what did a method see, if not everything?"""

from collections.abc import Mapping, Sequence

from forebear_lab.experiments.data import paper_claims
from forebear_lab.experiments.fusion import FusionPlan, MethodResult, on_same_folds
from forebear_lab.experiments.verdicts import (
    Ordering,
    Verdict,
    judge_orderings,
    judge_ratio,
)


def judge_rankings(by_name: Mapping[str, MethodResult], plan: FusionPlan) -> list[Verdict]:
    """Judge the orderings that the paper claims, each on the folds that both methods have."""
    orderings = []
    for claim in paper_claims():
        if claim.better in by_name and claim.worse in by_name:
            better, worse = on_same_folds(by_name[claim.better], by_name[claim.worse])
            orderings.append(
                Ordering(
                    claim=f"{claim.claim} ({claim.measure.upper()}@100)",
                    better=getattr(better, claim.measure),
                    worse=getattr(worse, claim.measure),
                    better_saw=_seen(better),
                    worse_saw=_seen(worse),
                    condition=shown_folds(better.folds, plan.folds),
                )
            )
    return judge_orderings(orderings, seed=plan.seed)


def judge_times(by_name: Mapping[str, MethodResult], plan: FusionPlan) -> list[Verdict]:
    """Judge what the paper claims of training times, fold by fold."""
    verdicts = []
    for claim, slow, quick, times in (
        ("SS trains more than 2 times faster than CA", "ca", "ss", 2.0),
        ("LambdaMART trains slower than CA", "lambdamart", "ca", 1.0),
        ("LambdaMART trains slower than SS", "lambdamart", "ss", 1.0),
    ):
        if slow in by_name and quick in by_name:
            one, other = on_same_folds(by_name[slow], by_name[quick])
            verdicts.append(
                judge_ratio(
                    claim,
                    one.seconds,
                    other.seconds,
                    at_least=times,
                    handicap=_seen(one),
                    condition=shown_folds(one.folds, plan.folds),
                )
            )
    return verdicts


def titled(one: MethodResult, folds: int) -> str:
    """Return the method's name, with its finished folds and its sample if not the whole."""
    marks = [shown_folds(one.folds, folds)] if one.folds else []
    seen = one.settings.get("queries", one.training)
    if one.training and seen < one.training:
        marks.append(f"{seen:,} of {one.training:,} queries")
    return f"{one.method.title} ({', '.join(marks)})" if marks else one.method.title


def shown_folds(folds: Sequence[int], count: int) -> str:
    """Return which folds are finished, if not all.

    >>> shown_folds((0, 2), 3)
    'folds 1 and 3 of 3'
    """
    if not folds:
        return ""
    numbers = " and ".join(str(fold + 1) for fold in folds)
    return f"fold{'s' if len(folds) > 1 else ''} {numbers} of {count}"


def _seen(one: MethodResult) -> str:
    """Return how few of the training queries a learner saw, if more might have helped."""
    training = one.training or one.ndcg.size * (len(one.seconds) - 1) // len(one.seconds)
    seen = one.settings.get("queries", training)
    enough = one.unit == "queries" and one.settled  # its curve is over queries, and flat
    return "" if seen >= training or enough else f"saw {seen} of {training} training queries"
