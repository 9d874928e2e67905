"""What comes of training day after day, and when other people are sought than before?

Daily: on each of twenty days users make 25 searches, attach what they see in the order of the
newest model, and a new model is learned from all searches so far.  It is used without a test, as
``forebear train --promote`` does: promotion has its own experiment.

Drift: searches are ordered by the year of birth that they state.  Models are learned from the
earlier half and judged on the later one, where names, record types and relatives differ.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from forebear.interactions.events import JudgedSearch
from forebear.search.model import UNITS_PER_BIT, Model, default_model
from forebear_lab.experiments.loop import LoopRun, part_of, ranked_of
from forebear_lab.experiments.loop_differences import Estimate, estimate_all, values_of
from forebear_lab.experiments.loop_feedback import link, use
from forebear_lab.experiments.loop_learners import learn_model
from forebear_lab.experiments.loop_searches import MOST_TESTED, KnownSearch
from forebear_lab.experiments.parts import Part
from forebear_lab.experiments.rescored_lists import RescoredLists

DAYS = 20
SEARCHES_A_DAY = 25
SHOWN_DAYS = (1, 2, 5, 10, 15, 20)
DRAWS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DayRow:
    """What daily training has led to at the end of a day: the mean over draws."""

    day: int
    ndcg: float  # over default
    worst: float  # of the draws
    success_1: float
    largest_change: float  # of a weight, in bits, from default


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyRows:
    """Twenty days of training."""

    days: tuple[DayRow, ...]
    over_default: Mapping[str, Estimate]  # on the last day

    def value(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "searches_a_day": SEARCHES_A_DAY,
            "days": [
                {name: round(getattr(row, name), 6) for name in DayRow.__slots__}
                for row in self.days
            ],
            "over_default": values_of(self.over_default),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftRow:
    """Learned from earlier people, judged on later ones."""

    searches: int
    draws: int
    over_default: Mapping[str, Estimate]

    def value(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "searches": self.searches,
            "draws": self.draws,
            "over_default": values_of(self.over_default),
        }


def train_daily(run: LoopRun, *, draws: int = DRAWS, days: int = DAYS) -> DailyRows | None:
    """Train on each of some days; None if there are too few searches for them."""
    if len(run.searches.pool) < days * SEARCHES_A_DAY:
        run.progress(f"daily training left out: it needs {days * SEARCHES_A_DAY} searches")
        return None
    parts = [
        run.part(f"daily-{days}-{number}", partial(_days, run, number, days))
        for number in range(min(draws, run.plan.draws))
    ]
    rows = []
    for day in range(days):
        of_day = [part["days"][day] for part in parts]
        rows.append(
            DayRow(
                day=day + 1,
                ndcg=float(np.mean([one["ndcg"] for one in of_day])),
                worst=min(one["ndcg"] for one in of_day),
                success_1=float(np.mean([one["success_1"] for one in of_day])),
                largest_change=max(one["change"] for one in of_day),
            )
        )
    last = [ranked_of(part).minus(run.default) for part in parts]
    return DailyRows(
        days=tuple(rows),
        over_default=estimate_all(last, run.persons, seed=run.plan.seed),
    )


def _days(run: LoopRun, number: int, count: int) -> Part:
    pool = run.searches.pool
    order = np.random.default_rng([run.plan.seed, number]).permutation(len(pool)).tolist()
    model, judged, days = default_model(), list[JudgedSearch](), []
    ranked = run.default
    for day in range(count):
        places = order[day * SEARCHES_A_DAY : (day + 1) * SEARCHES_A_DAY]
        searches = [pool[place] for place in places]
        shown = RescoredLists(searches).shown(model)
        judged += use(list(zip(searches, shown, strict=True)), seed=run.plan.seed + number)
        model = learn_model(judged, seed=run.plan.seed) or default_model()
        ranked = run.test.rank(model)
        means = ranked.minus(run.default).means()
        days.append(
            {
                "ndcg": means["ndcg"],
                "success_1": means["success_1"],
                "change": _largest_change(model),
            }
        )
    return {"days": days, **part_of(ranked)}


def _largest_change(model: Model) -> float:
    """Return how far a weight is from that of default, at most, in bits."""
    default = default_model()
    changes = (
        abs(units - default.weight(record_type, clause))
        for record_type, weights in model.weights.items()
        for clause, units in weights.items()
    )
    return max(changes, default=0) / UNITS_PER_BIT


def train_on_the_past(run: LoopRun, *, draws: int = DRAWS) -> list[DriftRow]:
    """Learn from searches for people born earlier, and judge on those born later."""
    past, later = _halves(run.searches.everything)
    sizes = [size for size in run.plan.sizes if size <= len(past)]
    if not sizes or not later:
        run.progress("drift left out: too few searches state a year of birth")
        return []
    lists = RescoredLists(later)
    default, persons = lists.rank(default_model()), [one.person for one in later]
    rows = []
    for size in sizes:
        count = min(draws, run.plan.draws_of(size))
        parts = [
            run.part(
                f"drift-{size}-{number}",
                partial(_drift, run, past, lists, size, number),
            )
            for number in range(count)
        ]
        differences = [ranked_of(part).minus(default) for part in parts]
        rows.append(
            DriftRow(
                searches=size,
                draws=count,
                over_default=estimate_all(differences, persons, seed=run.plan.seed),
            )
        )
    return rows


def _halves(searches: Sequence[KnownSearch]) -> tuple[list[KnownSearch], list[KnownSearch]]:
    """Return searches for people born earlier and later, without a person in both."""
    dated = [one for one in searches if one.born is not None]
    dated.sort(key=lambda one: (one.born or 0, one.search.id))
    later = dated[len(dated) // 2 :][:MOST_TESTED]
    persons = {one.person for one in later}
    return [one for one in dated[: len(dated) // 2] if one.person not in persons], later


def _drift(
    run: LoopRun, past: Sequence[KnownSearch], lists: RescoredLists, size: int, number: int
) -> Part:
    order = np.random.default_rng([run.plan.seed, number]).permutation(len(past))[:size]
    model = learn_model(link([past[place] for place in order.tolist()]), seed=run.plan.seed)
    return part_of(lists.rank(model or default_model()))
