"""How often does a trial of interleaved models err, and how many searches does it need?  Simulated.

    python -m benchmarks.quality.interleaving --searches 4000 --trials 2000

Each search has 100 records, one to five of them right.  Both models see the merit of each record
through noise, most of which they share, as models with the same clauses do; the noise of the
challenger is chosen so that its NDCG@100 differs by about 0, .005, .01 or .02 from that of the
model in use.  Several users make each search, each with another draft.  Users look at the first 20
records, from all of them to mostly the first, and attach 1 % of the wrong records that they look
at.  Printed are the shares of trials that promote the challenger, in all and by 200, 500 and 1,000
searches with attachments, and the median number of searches needed, those without attachments
included.

The exit status is 1 if more than 5 % of the trials promote a model that is no better, or more than
1 % one that is worse by .01.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forebear_lab.evaluation.tables import Table
from forebear_lab.simulation.behavior import Behavior, interleaving_credits, trial_rates
from forebear_lab.simulation.chance import Chance

RECORDS = 100
NOISE = 0.8  # of the model in use
SHARED = 0.95  # correlation of the two models' noise: differences have a sd of about .06
MERIT = 4.2  # by which right records are better on average
DIFFERENCES = (-0.01, -0.005, 0.0, 0.005, 0.01, 0.02)
BEHAVIORS = {
    name: Behavior(eta=eta, pages=1, attach_wrong=0.01, mistaken=0.0)
    for name, eta in (("all of 20", 0.0), ("rank^-.3", 0.3), ("rank^-.7", 0.7))
}
DISCOUNTS = 1 / np.log2(np.arange(2, RECORDS + 2))

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Searches:
    """Simulated searches: the merit of records, which are right, and how two models err."""

    merit: Floats
    right: NDArray[np.bool_]
    errors: tuple[Floats, Floats]

    def order(self, model: int, noise: float) -> NDArray[np.int64]:
        """Return the records of each search as a model ranks them."""
        return np.argsort(-(self.merit + noise * self.errors[model]), axis=1, kind="stable")

    def ndcg(self, order: NDArray[np.int64]) -> Floats:
        """Return the NDCG of each search in an order."""
        gains = np.take_along_axis(self.right, order, axis=1)
        ideal = np.cumsum(DISCOUNTS)[self.right.sum(axis=1) - 1]
        ndcg: Floats = gains @ DISCOUNTS / ideal
        return ndcg


def draw(count: int, seed: int) -> Searches:
    """Return simulated searches."""
    chance = Chance(seed=seed)
    right = np.arange(RECORDS) < 1 + (chance.stream("right").random(count) * 5).astype(int)[:, None]
    merit = _normal(chance, "merit", count) + MERIT * right
    first, other = _normal(chance, "first", count), _normal(chance, "second", count)
    second = SHARED * first + (1 - SHARED**2) ** 0.5 * other
    return Searches(merit=merit, right=right, errors=(first, second))


def _normal(chance: Chance, name: str, count: int) -> Floats:
    """Return numbers of about a normal distribution, by the sum of twelve uniform ones."""
    uniform = chance.stream(name).random((12, count, RECORDS))
    normal: Floats = uniform.sum(axis=0) - 6
    return normal


def noise_for(searches: Searches, difference: float) -> float:
    """Return the noise with which the challenger differs by this much, by bisection."""
    wanted_ndcg = searches.ndcg(searches.order(0, NOISE)).mean() + difference
    low, high = 0.0, 4 * NOISE
    for _ in range(20):
        middle = (low + high) / 2
        if searches.ndcg(searches.order(1, middle)).mean() > wanted_ndcg:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def named(order: NDArray[np.int64]) -> list[list[str]]:
    """Return orders as lists of record keys."""
    return [[f"r:{record}" for record in row[:40]] for row in order.tolist()]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--searches", type=int, default=4000)
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--users", type=int, default=8, help="of each search")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    searches = draw(options.searches, options.seed)
    first = searches.order(0, NOISE)
    right = [{f"r:{record}" for record in np.flatnonzero(row)} for row in searches.right]
    before = searches.ndcg(first)
    print(f"simulated: {options.searches:,} searches, model in use {before.mean():.4f} NDCG@100")
    rows: list[tuple[str, ...]] = []
    missed = False
    for difference in DIFFERENCES:
        second = searches.order(1, noise_for(searches, difference))
        paired = searches.ndcg(second) - before
        for name, behavior in BEHAVIORS.items():
            credits = [
                credit
                for user in range(options.users)
                for credit in interleaving_credits(
                    named(first), named(second), right, behavior=behavior, seed=user
                )
            ]
            rates = trial_rates(credits, trials=options.trials, seed=options.seed)
            mean = sum(credit.sign for credit in credits) / len(credits)
            judged = sum(credit.incumbent + credit.challenger > 0 for credit in credits)
            share = judged / len(credits)
            missed |= rates.promoted > {0.0: 0.05, -0.01: 0.01}.get(difference, 1.0)
            median = rates.median_searches
            rows.append(
                (
                    f"{paired.mean():+.4f}",
                    f"{paired.std():.3f}",
                    name,
                    f"{share:.0%}",
                    f"{mean:+.3f}",
                    f"{rates.promoted:.1%}",
                    *(f"{rates.promoted_by[mark]:.1%}" for mark in (200, 500, 1000)),
                    "" if median is None else f"{median / share:,.0f}",
                )
            )
    headings = (
        *("difference", "sd", "users look at", "with attachments", "mean sign", "promoted"),
        *("by 200", "by 500", "by 1,000", "median searches"),
    )
    print(Table(headings=headings, rows=rows).as_text())
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
