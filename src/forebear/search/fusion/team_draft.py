"""Team draft: how do two rankings become one list that is fair to both?

Two captains pick records in turn, each the best of their ranking that is not in the list yet; a
coin decides in every round who picks first.  A record belongs to the team of the captain who picked
it, and the attachments of a team are the credit of its ranking.  Where both rankings are equally
good, either team is equally likely to get each attachment (Radlinski, Kurup and Joachims, "How does
clickthrough data reflect retrieval quality?", CIKM 2008).

The coin is a hash of a seed and of the round, so the same two rankings and the same seed give the
same list: a later page continues the first one.
"""

import hashlib
from collections.abc import Sequence
from typing import Literal

Team = Literal[0, 1]  # whose record it is: that of the first ranking, or of the second
Pick = tuple[str, Team]
COINS = 512  # rounds that one hash decides


def team_draft(first: Sequence[str], second: Sequence[str], *, seed: str) -> list[Pick]:
    """Return the records of two rankings as one list, each with the team that picked it.

    >>> picks = team_draft("abc", "bad", seed="s1")
    >>> sorted(record for record, _ in picks), sorted(picks[0][0] + picks[1][0])
    (['a', 'b', 'c', 'd'], ['a', 'b'])
    """
    rankings = (first, second)
    places = [0, 0]
    picked: set[str] = set()
    picks: list[Pick] = []
    for round_ in range(max(len(first), len(second))):
        for team in _order(seed, round_):
            ranking, place = rankings[team], places[team]
            while place < len(ranking) and ranking[place] in picked:
                place += 1
            if place < len(ranking):
                picked.add(ranking[place])
                picks.append((ranking[place], team))
                place += 1
            places[team] = place
    return picks


def _order(seed: str, round_: int) -> tuple[Team, Team]:
    """Return who picks first in a round."""
    block, bit = divmod(round_, COINS)
    coins = hashlib.blake2b(f"{seed} {block}".encode()).digest()
    return (1, 0) if coins[bit // 8] >> bit % 8 & 1 else (0, 1)
