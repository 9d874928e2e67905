"""What do searches and attachments teach?  Learning curves of the program on simulated users.

Searches are drawn at random from those to learn from; what users attach to them is learned from by
the program's functions, and the model is measured on other people's searches
(`loop_searches`).  The number of searches counts those with an attachment.  Every draw is a part,
saved when it is finished.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from forebear import __version__
from forebear.errors import InputError
from forebear.interactions.events import JudgedSearch
from forebear.search.model import default_model, hand_set_model
from forebear_lab.experiments.loop_differences import (
    MEASURES,
    Estimate,
    estimate,
    estimate_all,
    values_of,
)
from forebear_lab.experiments.loop_feedback import (
    FEEDBACKS,
    Feedback,
    commonest_type,
    give_feedback,
)
from forebear_lab.experiments.loop_learners import Learner, learn
from forebear_lab.experiments.loop_searches import KnownSearch, LoopSearches
from forebear_lab.experiments.parts import FinishedParts, Part
from forebear_lab.experiments.rescored_lists import Bools, Ranked, RescoredLists

SIZES = (20, 50, 100, 200, 500, 1_000, 3_000)
FEW = 200  # searches, up to which every draw is made; of larger ones fewer differ
LEAST_DRAWS = 2
OTHER_DRAWS = 3  # of other learners

Progress = Callable[[str], None]
Draw = tuple[list[KnownSearch], list[JudgedSearch]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopPlan:
    """What is run, and how often."""

    sizes: tuple[int, ...] = SIZES
    draws: int = 10
    seed: int = 1

    def draws_of(self, size: int) -> int:
        """Return how many draws of a number of searches are made.

        >>> [LoopPlan().draws_of(size) for size in (50, 500, 3000)]
        [10, 4, 2]
        """
        return max(min(LEAST_DRAWS, self.draws), round(self.draws * min(1.0, FEW / size)))


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveRow:
    """What a learner makes of a number of searches: means over draws and test searches."""

    feedback: Feedback
    learner: Learner
    searches: int
    draws: int
    taught: int  # draws that taught something; in the others `default` stays
    seconds: float  # of one training
    default: dict[str, Estimate]
    fitted: dict[str, Estimate]
    over_default: dict[str, Estimate]
    over_hand_set: dict[str, Estimate]
    other_types: Estimate | None = None  # NDCG of records of other types, over default

    def value(self) -> dict[str, Any]:
        """Return it as plain values."""
        others = {} if self.other_types is None else {"other_types": self.other_types.value()}
        return {
            "feedback": self.feedback,
            "learner": self.learner,
            "searches": self.searches,
            "draws": self.draws,
            "taught": self.taught,
            "seconds": round(self.seconds, 2),
            "default": values_of(self.default),
            "fitted": values_of(self.fitted),
            "over_default": values_of(self.over_default),
            "over_hand_set": values_of(self.over_hand_set),
            **others,
        }


class LoopRun:
    """The learning curves of one world."""

    def __init__(
        self, plan: LoopPlan, searches: LoopSearches, out: Path, *, progress: Progress
    ) -> None:
        self.plan, self.searches, self.progress = plan, searches, progress
        self._parts = FinishedParts(out)

    @cached_property
    def test(self) -> RescoredLists:
        """Return the lists that models are measured on."""
        return RescoredLists(self.searches.test)

    @cached_property
    def default(self) -> Ranked:
        """Return the measures of the model `default`."""
        return self.test.rank(default_model())

    @cached_property
    def hand_set(self) -> Ranked:
        """Return the measures of the model `hand-set`."""
        return self.test.rank(hand_set_model())

    @cached_property
    def persons(self) -> list[str]:
        """Return the person whom each test search seeks."""
        return [one.person for one in self.searches.test]

    @cached_property
    def key(self) -> str:
        """Return a hash of the data and of what it is measured with."""
        ids = [[one.search.id for one in of] for of in (self.searches.pool, self.searches.test)]
        text = repr((__version__, self.searches.label, self.plan.seed, ids))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def part(self, name: str, compute: Callable[[], Part]) -> Part:
        """Return a part, computed unless it is saved."""
        value, was_saved = self._parts.get(name, self.key, compute)
        self.progress(f"{name}: {'saved earlier' if was_saved else 'done'}")
        return value

    def curve(
        self, feedback: Feedback, learner: Learner = "map", *, draws: int | None = None
    ) -> Iterator[CurveRow]:
        """Yield a row for each number of searches, as far as there are as many."""
        for size in self.plan.sizes:
            if size > len(self._order(feedback, 0)):
                self.progress(f"{feedback}: fewer than {size:,} searches have an attachment")
                return
            count = min(self.plan.draws_of(size), draws or self.plan.draws)
            yield self._row(feedback, learner, size, count)

    def draw(self, feedback: Feedback, size: int, number: int) -> Draw:
        """Return one random choice of searches with an attachment; smaller ones are parts of it."""
        pairs = self._order(feedback, number)[:size]
        return [one for one, _ in pairs], [judged for _, judged in pairs]

    def _order(self, feedback: Feedback, number: int) -> list[tuple[KnownSearch, JudgedSearch]]:
        """Return all searches with an attachment, in the order of a draw."""
        pool = self.searches.pool
        judged = give_feedback(pool, feedback, seed=self.plan.seed + number)
        order = np.random.default_rng([self.plan.seed, number]).permutation(len(pool)).tolist()
        return [(pool[at], judged[at]) for at in order if judged[at].attached]

    def _row(self, feedback: Feedback, learner: Learner, size: int, draws: int) -> CurveRow:
        parts = [
            self.part(
                f"{feedback}-{learner}-{size}-{number}",
                partial(self._measure, feedback, learner, size, number),
            )
            for number in range(draws)
        ]
        fitted = [ranked_of(part) for part in parts]
        seed, persons = self.plan.seed, self.persons
        others = [np.array(part["others"]) for part in parts if "others" in part]
        return CurveRow(
            feedback=feedback,
            learner=learner,
            searches=size,
            draws=draws,
            taught=sum(part["taught"] for part in parts),
            seconds=float(np.mean([part["seconds"] for part in parts])),
            default=estimate_all([self.default], persons, seed=seed),
            fitted=estimate_all(fitted, persons, seed=seed),
            over_default=estimate_all(
                [one.minus(self.default) for one in fitted], persons, seed=seed
            ),
            over_hand_set=estimate_all(
                [one.minus(self.hand_set) for one in fitted], persons, seed=seed
            ),
            other_types=estimate(others, persons, seed=seed) if others else None,
        )

    def _measure(self, feedback: Feedback, learner: Learner, size: int, number: int) -> Part:
        searches, judged = self.draw(feedback, size, number)
        began = perf_counter()
        learning = learn(learner, searches, judged, seed=self.plan.seed)
        seconds = perf_counter() - began
        scores = learning.score(self.test)
        part = {
            "taught": learning.learned,
            "seconds": seconds,
            **part_of(self.test.measure(scores)),
        }
        if feedback == "one-type":
            default = self.test.measure(self.test.scores(default_model()), only=self._others)
            fitted = self.test.measure(scores, only=self._others)
            part["others"] = (fitted.ndcg - default.ndcg).round(6).tolist()
        return part

    @cached_property
    def _others(self) -> Bools:
        """Return which records are of other types than the one that alone is attached."""
        attached = commonest_type(self.searches.pool)
        types = {
            shown.name: shown.record_type
            for one in self.searches.test
            for shown in one.search.lists
        }
        others = [types[name] != attached for name in self.test.list_names]
        return np.array(others, np.bool_)[self.test.list_of_row]


def part_of(ranked: Ranked) -> Part:
    """Return measures as they are saved."""
    return {name: getattr(ranked, name).round(6).tolist() for name in MEASURES.values()}


def ranked_of(part: Part) -> Ranked:
    """Return saved measures."""
    return Ranked(**{name: np.array(part[name], np.float64) for name in MEASURES.values()})


def run_curves(run: LoopRun, *, learners: Sequence[Learner] = ()) -> list[CurveRow]:
    """Return the curves of every kind of feedback, and of other learners on links."""
    rows = [row for feedback in FEEDBACKS for row in run.curve(feedback)]
    for learner in learners:
        try:
            rows += run.curve("links", learner, draws=OTHER_DRAWS)
        except InputError as error:
            run.progress(f"{learner} left out: {error.message}")
    return rows
