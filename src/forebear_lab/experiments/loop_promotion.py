"""How often does the rule of `forebear train` promote a model, by what the model is really worth?

Pairs of fixed models have a known difference: the mean over all test searches, from which searches
are sample at random.  Better models lie on the way from `hand-set` to a model trained on many
searches; worse ones are the same pairs, exchanged.  Two models that are equally good are a point of
this way and the trained model with random errors in its weights.

The rule is applied after every hundred searches up to two thousand, with all its refusals; a model
that is promoted once stays promoted.  What is not simulated: the models of a real series of
trainings change from look to look.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from forebear.kernels.ndcg import Integers
from forebear.learning.e_value import gather_evidence
from forebear.learning.evaluation import MIN_PERSONS, compare_rankings, refusals
from forebear.learning.logged_rankings import ModelMeasures, judge_model
from forebear.learning.measures import PairedDifferences
from forebear.search.model import MAX_BITS, UNITS_PER_BIT, Model, hand_set_model
from forebear_lab.experiments.loop import LoopRun
from forebear_lab.experiments.loop_feedback import link
from forebear_lab.experiments.loop_learners import learn_model
from forebear_lab.experiments.parts import Part

LOOKS = tuple(range(100, 2_001, 100))
GAINS = (0.005, 0.01, 0.02)
TRIALS = 200
ERROR_BITS = 0.3  # standard deviation of the errors in the weights of an equal model
LEARNED_FROM = 1_000  # searches, at most
STEPS = 12  # of a bisection


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionRow:
    """How often models of one true difference are promoted."""

    target: float
    true: float  # difference of NDCG@100 on all test searches
    deviation: float  # standard deviation of the differences of single searches
    trials: int
    promoted: Mapping[int, float]  # share, by number of searches, at any look so far
    refused: float  # share of trials with enough evidence and a reason against the model

    def value(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "target": self.target,
            "true": round(self.true, 6),
            "deviation": round(self.deviation, 4),
            "trials": self.trials,
            "promoted": {str(look): share for look, share in self.promoted.items()},
            "refused": self.refused,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedPair:
    """Two models whose true difference is about ``target``, as near as models go."""

    target: float
    before: Model
    after: Model


def simulate_promotion(run: LoopRun, *, trials: int = TRIALS) -> list[PromotionRow]:
    """Apply the rule to pairs of models of known differences."""
    pairs = fixed_pairs(run)
    rows = []
    for number, make in pairs.items():
        part = run.part(f"promotion-{number}-{trials}", partial(_simulate, run, make, trials))
        promoted = {int(look): share for look, share in part["promoted"].items()}
        rows.append(
            PromotionRow(
                target=part["target"],
                true=part["true"],
                deviation=part["deviation"],
                trials=trials,
                promoted=promoted,
                refused=part["refused"],
            )
        )
    return rows


def fixed_pairs(run: LoopRun) -> dict[str, Callable[[], FixedPair]]:
    """Return how each pair of models is made, by its name."""
    learned: list[Model] = []

    def trained() -> Model:
        if not learned:
            searches = [one for one in run.searches.pool if one.right][:LEARNED_FROM]
            learned.append(learn_model(link(searches), seed=run.plan.seed) or hand_set_model())
        return learned[0]

    def better(gain: float) -> FixedPair:
        worse = hand_set_model()
        return FixedPair(target=gain, before=worse, after=_on_the_way(run, trained(), worse, gain))

    def worse(gain: float) -> FixedPair:
        pair = better(gain)
        return FixedPair(target=-gain, before=pair.after, after=pair.before)

    def equal() -> FixedPair:
        start = hand_set_model()
        wrong = _with_errors(trained(), run.plan.seed)
        gain = float(run.test.rank(wrong).ndcg.mean() - run.test.rank(start).ndcg.mean())
        return FixedPair(target=0.0, before=_on_the_way(run, trained(), start, gain), after=wrong)

    def equal_exchanged() -> FixedPair:
        pair = equal()
        return FixedPair(target=0.0, before=pair.after, after=pair.before)

    pairs: dict[str, Callable[[], FixedPair]] = {"equal": equal, "equal-exchanged": equal_exchanged}
    for gain in GAINS:
        pairs[f"better-{gain:g}"] = partial(better, gain)
        pairs[f"worse-{gain:g}"] = partial(worse, gain)
    return pairs


def blend(one: Model, other: Model, share: float) -> Model:
    """Return a model between two: ``share`` of the way from the first to the second."""

    def between(first: Mapping[str, int], second: Mapping[str, int]) -> dict[str, int]:
        names = {**first, **second}
        return {
            name: round((1 - share) * first.get(name, 0) + share * second.get(name, 0))
            for name in names
        }

    types = {**one.weights, **other.weights}
    lists = {**one.conditions, **other.conditions}
    return replace(
        one,
        name=f"{one.name} to {other.name}",
        weights={n: between(one.weights.get(n, {}), other.weights.get(n, {})) for n in types},
        shifts=between(one.shifts, other.shifts),
        conditions={
            n: between(one.conditions.get(n, {}), other.conditions.get(n, {})) for n in lists
        },
    )


def _on_the_way(run: LoopRun, best: Model, worst: Model, gain: float) -> Model:
    """Return the model between two that is better than the worst by a gain, as near as it goes."""
    base = float(run.test.rank(worst).ndcg.mean())
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        reached = float(run.test.rank(blend(worst, best, middle)).ndcg.mean()) - base
        low, high = (middle, high) if reached < gain else (low, middle)
    return blend(worst, best, high)


def _with_errors(model: Model, seed: int) -> Model:
    random, most = np.random.default_rng([seed, 7]), MAX_BITS * UNITS_PER_BIT
    weights = {
        record_type: {
            clause: int(np.clip(units + random.normal(0, ERROR_BITS) * UNITS_PER_BIT, -most, most))
            for clause, units in of_type.items()
        }
        for record_type, of_type in model.weights.items()
    }
    return replace(model, name=f"{model.name} with errors", weights=weights)


def _simulate(run: LoopRun, make: Callable[[], FixedPair], trials: int) -> Part:
    pair = make()
    judged = [one.perfectly_judged for one in run.searches.test]
    before, after = (judge_model(model, judged) for model in (pair.before, pair.after))
    ids = list(before.ndcg)
    differences = np.array([after.ndcg[name] - before.ndcg[name] for name in ids])
    counts, refused = dict.fromkeys(LOOKS, 0), 0
    for trial in range(trials):
        random = np.random.default_rng([run.plan.seed, trial])
        sample = random.integers(len(ids), size=LOOKS[-1])
        first, was_refused = _first_promotion(before, after, ids, sample, differences)
        refused += was_refused
        for look in LOOKS:
            counts[look] += first is not None and first <= look
    return {
        "target": pair.target,
        "true": float(differences.mean()),
        "deviation": float(differences.std()),
        "promoted": {look: count / trials for look, count in counts.items()},
        "refused": refused / trials,
    }


def _first_promotion(
    before: ModelMeasures,
    after: ModelMeasures,
    ids: list[str],
    sample: Integers,
    differences: np.ndarray[Any, np.dtype[np.float64]],
) -> tuple[int | None, bool]:
    """Return after how many searches a model is promoted, and whether it was ever refused."""
    was_refused = False
    for look in LOOKS:
        sums = differences[sample[:look]]
        evidence = gather_evidence(PairedDifferences(sums=sums, sizes=np.ones(look)))
        if look < MIN_PERSONS or not evidence.is_enough:
            continue
        old, new = (_measures_of(of, ids, sample[:look]) for of in (before, after))
        comparison = compare_rankings(old, new, {name: name for name in old.ndcg}, seed=look)
        nce_before, nce_after = (float(np.mean([*of.nce.values()])) for of in (old, new))
        if not list(refusals(nce_before, nce_after, comparison, ())):
            return look, was_refused
        was_refused = True
    return None, was_refused


def _measures_of(measures: ModelMeasures, ids: list[str], sample: Integers) -> ModelMeasures:
    """Return the measures of searches sample with replacement, each as a search of its kind."""
    pairs = [(f"{place}", ids[number]) for place, number in enumerate(sample.tolist())]
    return replace(
        measures,
        ndcg={name: measures.ndcg[one] for name, one in pairs},
        nce={name: measures.nce[one] for name, one in pairs},
        firsts={name: measures.firsts[one] for name, one in pairs},
        weights={name: measures.weights[one] for name, one in pairs},
    )
