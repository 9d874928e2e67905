"""Which model gets an attachment of an interleaved search, and is one of two models better?

A trial compares the model in use with a challenger on a share of the searches.  Which searches,
and whose each record is, follow from hashes of the search, so all processes of a server agree.

The credit of a search is settled once, an hour after its first attachment: a sign that changed
later would make the evidence depend on when it was looked at.  Votes count when they are released.

The evidence may be looked at after every search.  Of each search let x be the sign of its credit: 1
if more records of the challenger were attached, -1 if more of the model in use, 0 otherwise.  If
neither is better, x is as likely to be 1 as -1.  The evidence after n searches is

    M_n = mean over l of  prod_i (1 + l x_i),    l in {.05, .1, .2, .3, .45, .6}

A bet of the share l on every search has this capital, and in a fair game capital grows to 20 with a
probability of at most 1/20, however often one looks (Ville's inequality; Ramdas et al.,
"Game-theoretic statistics and safe anytime-valid inference", 2023).  So the challenger is promoted
at 20.  At 1/20, or after 1,000 searches, the trial ends without a promotion.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from math import exp, log1p
from typing import Literal, Protocol

from forebear.interactions.events import Action, LoggedSearch, judge

STAKES = (0.05, 0.1, 0.2, 0.3, 0.45, 0.6)
PROMOTE_AT = 20.0
STOP_AT = 1 / 20
MAX_SEARCHES = 1_000

Decision = Literal["continue", "promote", "stop"]
SETTLED_AFTER = timedelta(hours=1)
TrialState = Literal["running", "promoted", "stopped", "ended"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the searches of a trial say, up to the one that decided it."""

    searches: int
    value: float  # M_n
    decision: Decision


def weigh(signs: Iterable[int]) -> Evidence:
    """Return the evidence of signs in their order; signs after the decision do not count.

    >>> weigh([1] * 7 + [0] * 3).decision, weigh([1, -1, 0]).decision
    ('continue', 'continue')
    >>> weigh([1] * 30).decision, weigh([-1] * 300).decision
    ('promote', 'stop')
    """
    wins, losses, searches, value = 0, 0, 0, 1.0
    for sign in signs:
        searches += 1
        wins, losses = wins + (sign > 0), losses + (sign < 0)
        value = capital(wins, losses)
        decision = _decide(value, searches)
        if decision != "continue":
            return Evidence(searches=searches, value=value, decision=decision)
    return Evidence(searches=searches, value=value, decision="continue")


@lru_cache(maxsize=100_000)
def capital(wins: int, losses: int) -> float:
    """Return M_n, which depends on the order of the signs no more than a product does."""
    logs = [wins * log1p(stake) + losses * log1p(-stake) for stake in STAKES]
    return sum(map(exp, logs)) / len(STAKES)


def _decide(value: float, searches: int) -> Decision:
    if value >= PROMOTE_AT:
        return "promote"
    return "stop" if value <= STOP_AT or searches >= MAX_SEARCHES else "continue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Two models that are interleaved, and what came of it so far."""

    id: int
    challenger: str
    incumbent: str  # the model in use
    share: float  # of the searches that may be interleaved
    started_at: str
    state: TrialState = "running"
    ended_at: str | None = None
    reason: str = ""  # why it ended
    interleaved: int = 0  # searches
    settled: int = 0  # of these, those with an attachment whose credit is settled
    attached: tuple[int, int] = (0, 0)  # records of the model in use and of the challenger
    evidence: float = 1.0

    def includes(self, search_id: str) -> bool:
        """Return whether a search is one of the share that is interleaved."""
        digest = hashlib.blake2b(f"trial {self.id} {search_id}".encode(), digest_size=8).digest()
        return int.from_bytes(digest) < self.share * 2**64


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit:
    """How many records of each model were attached from an interleaved search."""

    search_id: str
    incumbent: int
    challenger: int

    @property
    def sign(self) -> int:
        """Return 1 if the challenger got more, -1 if the model in use did, else 0."""
        return (self.challenger > self.incumbent) - (self.challenger < self.incumbent)


class TrialStore(Protocol):
    """Stores trials and the credit of their searches."""

    def start(self, challenger: str, incumbent: str, share: float) -> Trial:
        """Start a trial."""

    def list(self) -> Sequence[Trial]:
        """Return all trials with their counts, the oldest first."""

    def get(self, number: int) -> Trial | None:
        """Return a trial without its counts."""

    def running(self) -> Trial | None:
        """Return the trial that has not ended, if its model is in use, without its counts."""

    def unsettled(self, trial: Trial) -> Sequence[str]:
        """Return the ids of its searches with actions whose credit is not settled."""

    def settle(self, trial: Trial, credits: Sequence[Credit]) -> Trial:
        """Settle credits, and promote or end if the evidence says so, in one transaction."""

    def change_share(self, trial: Trial, share: float) -> None:
        """Change the share of searches that are interleaved."""

    def end(self, trial: Trial, reason: str) -> None:
        """End a trial without a promotion."""


def credit_of(search: LoggedSearch, actions: Iterable[Action], now: datetime) -> Credit | None:
    """Return the credit of an interleaved search; None while it is open or nothing is attached."""
    done = list(actions)
    judged = judge(search, done)
    times = [
        datetime.fromisoformat(action.at)
        for action in done
        if action.kind == "attach" and action.record_key in judged.attached
    ]
    if not times or now < min(times) + SETTLED_AFTER:
        return None
    letters = [
        team
        for record, team in zip(search.shown, search.teams, strict=False)
        if record in judged.attached
    ]
    return Credit(search_id=search.id, incumbent=letters.count("A"), challenger=letters.count("B"))


def describe_trial(trial: Trial, needed: float) -> str:
    """Return how far a trial is, in words; ``needed`` is the evidence that promotes."""
    by_incumbent, by_challenger = trial.attached
    progress = (
        f"after {trial.interleaved:,} searches ({trial.settled:,} with settled attachments), "
        f"{trial.challenger} got {by_challenger:,} attachments, {trial.incumbent} "
        f"{by_incumbent:,}; evidence {trial.evidence:,.3g} of {needed:g} needed"
    )
    ending = "" if trial.state == "running" else f"; {trial.state}: {trial.reason}"
    return f"{trial.challenger} against {trial.incumbent}: {progress}{ending}"
