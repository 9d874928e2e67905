"""The best weight between two scored lists: every angle that matters is looked at.

Of two lists only the ratio of their weights decides the order, and with scores in bits the
ratio is a shift t of the second list.  As t rises, a relevant record of the second list passes
the records of the first one by one, and one of the first is passed; between two such crossings
nothing changes.  So NDCG is a staircase with as many stairs as crossings, and the best stair is
found by sorting them (Vogt and Cottrell 1999 for two systems; Wu et al. 2010 for NDCG).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from forebear_lab.experiments.fuser import Row


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TwoLists:
    """One query's two lists: scores in bits, best first, and the worth of each record."""

    fixed: Row
    fixed_worths: Row  # gain over the query's ideal DCG; 0 for irrelevant records
    moved: Row
    moved_worths: Row


def best_shift(queries: Sequence[TwoLists], *, cutoff: int = 100) -> tuple[float, float]:
    """Return the shift of the second lists with the greatest NDCG, and the sum of NDCG there.

    Equal scores of one list stay in the order given.  Where the first stair or the last is the
    best, the shift is one bit beyond the crossing.
    """
    longest = max((one.fixed.size + one.moved.size for one in queries), default=0)
    discounts = np.zeros(longest + 1)
    depth = min(cutoff, longest)
    discounts[:depth] = 1 / np.log2(2 + np.arange(depth))
    places, jumps, start = [np.zeros(0)], [np.zeros(0)], 0.0
    for one in queries:
        start += _add_crossings(one, discounts, cutoff, places, jumps)
    return _best_stair(np.concatenate(places), np.concatenate(jumps), start)


def _add_crossings(
    one: TwoLists, discounts: Row, cutoff: int, places: list[Row], jumps: list[Row]
) -> float:
    """Note where NDCG changes and by how much; return NDCG with the second list far below."""
    start = 0.0
    for place in np.flatnonzero(one.moved_worths[:cutoff]):
        worth = one.moved_worths[place]
        passed = one.fixed[: max(0, cutoff - place)]
        ranks = place + np.arange(passed.size)
        places.append(passed - one.moved[place])
        jumps.append(worth * (discounts[ranks] - discounts[ranks + 1]))
        start += worth * discounts[place + one.fixed.size]
    for place in np.flatnonzero(one.fixed_worths[:cutoff]):
        worth = one.fixed_worths[place]
        passing = one.moved[: max(0, cutoff - place)]
        ranks = place + np.arange(passing.size)
        places.append(one.fixed[place] - passing)
        jumps.append(worth * (discounts[ranks + 1] - discounts[ranks]))
        start += worth * discounts[place]
    return float(start)


def _best_stair(places: Row, jumps: Row, start: float) -> tuple[float, float]:
    if not places.size:
        return 0.0, start
    order = np.argsort(places)
    places = places[order]
    values = start + np.concatenate(([0.0], np.cumsum(jumps[order])))
    borders = np.concatenate(([places[0] - 1], places, [places[-1] + 1]))
    middles = (borders[:-1] + borders[1:]) / 2
    middles[0], middles[-1] = borders[0], borders[-1]
    values[np.diff(borders) <= 0] = -np.inf  # several crossings in one place: no stair between
    best = int(np.argmax(values))
    return float(middles[best]), float(values[best])
