"""Is one of two interleaved models better?  Evidence that may be looked at after every search.

Of each search let x be the sign of its credit: 1 if more records of the challenger were attached,
-1 if more of the model in use, 0 otherwise.  If neither is better, x is as likely to be 1 as -1.
The evidence after n searches is

    M_n = mean over l of  prod_i (1 + l x_i),    l in {.05, .1, .2, .3, .45, .6}

A bet of the share l on every search has this capital, and in a fair game capital grows to 20 with a
probability of at most 1/20, however often one looks (Ville's inequality; Ramdas et al.,
"Game-theoretic statistics and safe anytime-valid inference", 2023).  So the challenger is promoted
at 20.  At 1/20, or after 1,000 searches, the trial ends without a promotion.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log1p
from typing import Literal

STAKES = (0.05, 0.1, 0.2, 0.3, 0.45, 0.6)
PROMOTE_AT = 20.0
STOP_AT = 1 / 20
MOST_SEARCHES = 1_000

Decision = Literal["continue", "promote", "stop"]


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
    return "stop" if value <= STOP_AT or searches >= MOST_SEARCHES else "continue"
