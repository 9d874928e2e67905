"""How often does a trial of two interleaved models promote, and after how many searches?

The pairs of models are those of `forebear_lab.experiments.loop_promotion`, so their difference is
known.  Simulated users act on lists that both models of a pair draft in turn, as in `forebear serve
--trial`: they look at all of the first twenty records, or at the record of a rank with a
probability that falls as stated, and attach one wrong record in a hundred that they look at.  Every
test search is made by several users, each with another draft; trials draw from all of these with
replacement.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from forebear_lab.experiments.loop import LoopRun
from forebear_lab.experiments.loop_promotion import FixedPair, fixed_pairs
from forebear_lab.experiments.parts import Part
from forebear_lab.simulation.behavior import Behavior, interleaving_credits, trial_rates

TRIALS = 2_000
USERS = 4  # of each search
BEHAVIORS = {
    name: Behavior(eta=eta, pages=1, attach_wrong=0.01, mistaken=0.0)
    for name, eta in (("all of 20", 0.0), ("rank^-.3", 0.3), ("rank^-.7", 0.7))
}


@dataclass(frozen=True, slots=True, kw_only=True)
class InterleavingRow:
    """What became of the trials of one pair of models, with users of one kind."""

    target: float
    true: float  # difference of NDCG@100 on all test searches
    behavior: str
    trials: int
    attaching: float  # share of the searches from which something was attached
    sign: float  # mean over these: 1 if the challenger got more attachments, -1 if fewer
    promoted: float  # share of the trials
    promoted_by: Mapping[int, float]  # by searches with attachments
    median: float | None  # searches that a promotion took, those without attachments included

    def value(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "target": self.target,
            "true": round(self.true, 6),
            "users_look_at": self.behavior,
            "trials": self.trials,
            "attaching": round(self.attaching, 4),
            "sign": round(self.sign, 4),
            "promoted": self.promoted,
            "promoted_by": {str(mark): share for mark, share in self.promoted_by.items()},
            "median_searches": None if self.median is None else round(self.median),
        }


def simulate_interleaving(run: LoopRun, *, trials: int = TRIALS) -> list[InterleavingRow]:
    """Let simulated users decide between the two models of each pair."""
    rows = []
    for name, make in fixed_pairs(run).items():
        part = run.part(f"interleaving-{name}-{trials}", partial(_simulate, run, make, trials))
        for behavior, of_behavior in part["behaviors"].items():
            by = {int(mark): share for mark, share in of_behavior.pop("promoted_by").items()}
            rows.append(
                InterleavingRow(
                    target=part["target"],
                    true=part["true"],
                    behavior=behavior,
                    trials=trials,
                    promoted_by=by,
                    **of_behavior,
                )
            )
    return rows


def _simulate(run: LoopRun, make: Callable[[], FixedPair], trials: int) -> Part:
    pair = make()
    gains = run.test.rank(pair.after).ndcg - run.test.rank(pair.before).ndcg
    return {
        "target": pair.target,
        "true": float(gains.mean()),
        "behaviors": {
            name: _rates(run, pair, behavior, trials) for name, behavior in BEHAVIORS.items()
        },
    }


def _rates(run: LoopRun, pair: FixedPair, behavior: Behavior, trials: int) -> Part:
    shown = behavior.page_size * behavior.pages
    before, after = (
        [records[:shown] for records in run.test.shown(model)]
        for model in (pair.before, pair.after)
    )
    right = [one.right for one in run.test.searches]
    credits = [
        credit
        for user in range(USERS)
        for credit in interleaving_credits(
            before, after, right, behavior=behavior, seed=run.plan.seed * USERS + user
        )
    ]
    rates = trial_rates(credits, trials=trials, seed=run.plan.seed)
    judged = [credit for credit in credits if credit.incumbent + credit.challenger]
    attaching = len(judged) / len(credits)
    median = rates.median_searches
    return {
        "attaching": attaching,
        "sign": sum(credit.sign for credit in judged) / len(judged),
        "promoted": rates.promoted,
        "promoted_by": dict(rates.promoted_by),
        "median": None if median is None else median / attaching,
    }
