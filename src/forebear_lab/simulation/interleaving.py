"""How often does interleaving promote a model, and after how many searches?

Simulated users act on lists that two models draft in turn, as they do in `forebear serve --trial`:
the same team draft, the same credit, the same evidence.  The signs of many searches are drawn again
and again, each time as one trial, so the rates are those of the two fixed models.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.interactions.trials import MAX_SEARCHES, PROMOTE_AT, STAKES, STOP_AT, Credit
from forebear.search.interleaved import team_draft
from forebear_lab.simulation.behavior import Behavior, act
from forebear_lab.simulation.chance import Chance

Floats = NDArray[np.float64]
Signs = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialRates:
    """What became of many trials of one pair of models."""

    trials: int
    promoted: float  # shares of the trials
    stopped: float  # at 1/20 or after the last search
    promoted_by: dict[int, float]  # by the number of searches with attachments
    median_searches: float | None  # with attachments, of the trials that promoted


def interleaving_credits(
    first: Sequence[Sequence[str]],
    second: Sequence[Sequence[str]],
    right: Sequence[Collection[str]],
    *,
    behavior: Behavior,
    seed: int,
) -> list[Credit]:
    """Return the credit of the models on each search, by what a user attaches of the drafted list.

    ``first`` and ``second`` have the records that the model in use and its challenger find for each
    search, best first, and ``right`` those that are about the person.
    """
    if not len(first) == len(second) == len(right):
        raise InputError(f"{len(first)}, {len(second)} and {len(right)} searches, expected as many")
    return [
        _credit(f"{seed}-{number}", *lists, behavior=behavior, seed=seed)
        for number, lists in enumerate(zip(first, second, right, strict=True))
    ]


def trial_rates(
    credits: Sequence[Credit], *, trials: int, seed: int, marks: Sequence[int] = (200, 500, 1000)
) -> TrialRates:
    """Return how trials end whose searches are drawn from these, with replacement.

    Searches without an attachment are left out, as in a real trial.
    """
    signs = np.array(
        [credit.sign for credit in credits if credit.incumbent + credit.challenger], np.int64
    )
    if not len(signs):
        raise InputError("nothing was attached in any of the searches")
    random = Chance(seed=seed).stream("trials").random((trials, MAX_SEARCHES))
    ends = np.array([_end(row) for row in signs[(random * len(signs)).astype(np.int64)]])
    promoted = ends[ends > 0]
    return TrialRates(
        trials=trials,
        promoted=len(promoted) / trials,
        stopped=1 - len(promoted) / trials,
        promoted_by={mark: float(np.sum(promoted <= mark)) / trials for mark in marks},
        median_searches=float(np.median(promoted)) if len(promoted) else None,
    )


def capitals(signs: Signs) -> Floats:
    """Return the evidence after each search, for signs in their order."""
    wins, losses = np.cumsum(signs > 0), np.cumsum(signs < 0)
    stakes = np.array(STAKES)[:, None]
    evidence: Floats = np.exp(wins * np.log1p(stakes) + losses * np.log1p(-stakes)).mean(axis=0)
    return evidence


def _end(signs: Signs) -> int:
    """Return after how many searches a trial promotes; minus that number if it stops."""
    evidence = capitals(signs)
    crossings = np.flatnonzero((evidence >= PROMOTE_AT) | (evidence <= STOP_AT))
    if not len(crossings):
        return -len(signs)
    first = int(crossings[0])
    return first + 1 if evidence[first] >= PROMOTE_AT else -first - 1


def _credit(
    name: str,
    first: Sequence[str],
    second: Sequence[str],
    right: Collection[str],
    *,
    behavior: Behavior,
    seed: int,
) -> Credit:
    shown = behavior.page_size * behavior.pages
    picks = team_draft(first[:shown], second[:shown], seed=name)
    hits = [record for record, _ in picks]
    actions = act(hits, right, user=name, query_id=name, seed=seed, behavior=behavior)
    teams = dict(picks)
    of_challenger = sum(teams[record] for record in actions.attached)
    return Credit(
        search_id=name,
        incumbent=len(actions.attached) - of_challenger,
        challenger=of_challenger,
    )
