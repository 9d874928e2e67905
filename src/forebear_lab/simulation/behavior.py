"""What does a simulated user do with a list of results, and what comes of trials with such users?

A user examines a hit with a probability that falls with its rank, rank ** -eta, within the first
pages and never beyond them: the position-based model of clicks with the propensities of
Joachims, Swaminathan and Schnabel (WSDM 2017). Of the examined records a user opens most right
records and some wrong ones, attaches and rejects, and makes mistakes at stated rates.

Decisions depend on the seed, the user, the query and the document alone, so a user judges a record
alike wherever it is shown: two rankings are compared with the same luck, and a list that is
shown again gets the same actions.

How often does interleaving promote a model, and after how many searches? Users act on lists that
two models draft in turn, as in `forebear serve --trial`: the same team draft, the same credit, the
same evidence. The signs of many searches are drawn again and again, each time as one trial, so the
rates are those of the two fixed models.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.interactions.trials import MAX_SEARCHES, PROMOTE_AT, STAKES, STOP_AT, Credit
from forebear.search.interleaved import team_draft
from forebear_lab.simulation.chance import Chance, text_uniform

Floats = NDArray[np.float64]
Signs = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Behavior:
    """How users examine lists, and how often they err.

    The rates of right and wrong records are conditional on examining one.  ``mistaken`` is the
    share of attachments that go to the nearest wrong hit instead, as if the user had slipped a
    line.
    """

    eta: float = 1.0  # 0: every hit of the pages is examined
    page_size: int = 20
    pages: int = 2
    attach_right: float = 0.85
    reject_right: float = 0.01
    attach_wrong: float = 0.002
    reject_wrong: float = 0.15
    open_right: float = 0.95  # at least looked at in full, attached or not
    open_wrong: float = 0.35
    mistaken: float = 0.04

    def __post_init__(self) -> None:
        for right in ("right", "wrong"):
            attach, reject, open_ = (
                getattr(self, f"{action}_{right}") for action in ("attach", "reject", "open")
            )
            if not (attach >= 0 <= reject and attach + reject <= open_ <= 1):
                raise InputError(
                    f"rates of {right} records do not fit: attach {attach}, reject {reject}",
                    hint="attached and rejected records are opened ones, so their sum is smaller",
                )

    def propensity(self, rank: int) -> float:
        """Return how likely a hit is examined, by its rank from 1.

        >>> [Behavior(pages=1).propensity(rank) for rank in (1, 2, 20, 21)]
        [1.0, 0.5, 0.05, 0.0]
        """
        return rank**-self.eta if rank <= self.page_size * self.pages else 0.0


# Examines everything shown and makes no mistakes.
CAREFUL = Behavior(
    eta=0.0, pages=5, attach_right=1.0, reject_right=0.0, attach_wrong=0.0, reject_wrong=0.0,
    open_right=1.0, open_wrong=0.0, mistaken=0.0,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Actions:
    """What a user did with one list, in the order of ranks."""

    examined: tuple[str, ...] = ()
    clicked: tuple[str, ...] = ()  # opened, attached or not
    attached: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()


def act(
    hits: Sequence[str],
    right: Collection[str],
    *,
    user: str,
    query_id: str,
    seed: int,
    behavior: Behavior,
    already: Collection[str] = (),
) -> Actions:
    """Return what a user does with ranked documents.

    ``right`` are the documents about the person sought, ``already`` those that the user attached
    or rejected earlier, which are passed over.

    >>> act(["a:1", "a:2"], {"a:2"}, user="u1", query_id="q1", seed=1, behavior=CAREFUL).attached
    ('a:2',)
    """
    shown = hits[: behavior.page_size * behavior.pages]
    actions: dict[str, list[str]] = {"examined": [], "open": [], "attach": [], "reject": []}
    for rank, document in enumerate(shown, 1):
        look, decide, slip = text_uniform(seed, user, query_id, document, count=3)
        if look >= behavior.propensity(rank) or document in already:
            continue
        actions["examined"].append(document)
        for action in _decide(decide, document in right, behavior):
            actions[action].append(document)
        if slip < behavior.mistaken and document in right and document in actions["attach"]:
            actions["attach"][-1] = _nearest_wrong(shown, rank - 1, {*right, *already})
            actions["open"].append(actions["attach"][-1])
    return Actions(
        examined=tuple(actions["examined"]),
        clicked=tuple(dict.fromkeys(actions["open"])),
        attached=tuple(dict.fromkeys(actions["attach"])),
        rejected=tuple(actions["reject"]),
    )


def _nearest_wrong(hits: Sequence[str], place: int, excluded: Collection[str]) -> str:
    """Return the hit nearest to a place that is not excluded; the hit itself if there is none."""
    nearest = sorted(range(len(hits)), key=lambda other: (abs(other - place), other))
    return next((hits[other] for other in nearest if hits[other] not in excluded), hits[place])


def _decide(uniform: float, is_right: bool, behavior: Behavior) -> tuple[str, ...]:
    """Return what is done with an examined record."""
    attach, reject, open_ = (
        (behavior.attach_right, behavior.reject_right, behavior.open_right)
        if is_right
        else (behavior.attach_wrong, behavior.reject_wrong, behavior.open_wrong)
    )
    if uniform < attach:
        return ("open", "attach")
    if uniform < attach + reject:
        return ("open", "reject")
    return ("open",) if uniform < open_ else ()


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
