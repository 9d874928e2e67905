"""How do the results of two models become one, so that people decide between them?

Both models rank what the same search found; team draft makes one list of the two.  Each hit keeps
the score and the explanation of the model whose team picked it.  Its probability is that of its
model, too, and probabilities are pooled over the one list, so that none rises.

Two captains pick records in turn, each the best of their ranking that is not in the list yet; a
coin decides in every round who picks first.  A record belongs to the team of the captain who picked
it, and the attachments of a team are the credit of its ranking.  Where both rankings are equally
good, either team is equally likely to get each attachment (Radlinski, Kurup and Joachims, "How does
clickthrough data reflect retrieval quality?", CIKM 2008).

The coin is a hash of a seed and of the round, so the same two rankings and the same seed give the
same list: a later page continues the first one.
"""

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeVar

import numpy as np

from forebear.search.hits import join_hits
from forebear.search.results.probability import Probabilities, ScoredHits, pool, to_probability
from forebear.search.search_result import SearchResult

Team = Literal[0, 1]  # whose record it is: that of the first ranking, or of the second
TEAM_LETTERS = "AB"  # of the model in use, and of the challenger
COINS = 512  # rounds that one hash decides

T = TypeVar("T", bound=Hashable)


def interleave(result: SearchResult, challenger: SearchResult, *, seed: str) -> SearchResult:
    """Return a result whose records are picked by two models in turn."""
    both = (result, challenger)
    rankings = [ranking.fused.tie.tolist() for ranking in both]
    picks = team_draft(*rankings, seed=seed)
    first_row = (0, len(rankings[0]))  # of each ranking in both together
    rows = [{tie: row for row, tie in enumerate(ranking)} for ranking in rankings]
    return replace(
        result,
        fused=join_hits([ranking.fused for ranking in both]).take(
            [first_row[team] + rows[team][tie] for tie, team in picks]
        ),
        probabilities=_pool_together(
            {tie: both[team].probabilities for tie, team in picks}, result.probabilities
        ),
        drafted={tie: challenger for tie, team in picks if team},
        challenger=challenger.model.name,
    )


def teams_of(result: SearchResult) -> str:
    """Return one letter for each record of a result: whose it is; "" if it is not interleaved."""
    if not result.challenger:
        return ""
    return "".join(TEAM_LETTERS[tie in result.drafted] for tie in result.fused.tie.tolist())


def _pool_together(parts: Mapping[int, Probabilities], base: Probabilities) -> Probabilities:
    """Return the probabilities of one list whose records are of several results."""
    chosen = [(part, part.places[tie]) for tie, part in parts.items()]
    raw = np.array([part.raw[place] for part, place in chosen], np.float64)
    pooled = pool(raw)
    return Probabilities(
        constants=base.constants,
        offset=base.offset,
        places={tie: place for place, tie in enumerate(parts)},
        hits=ScoredHits(
            scores=np.array([part.hits.scores[place] for part, place in chosen], np.float64),
            classes=[part.hits.classes[place] for part, place in chosen],
            groups=[part.hits.groups[place] for part, place in chosen],
            records=[part.hits.records[place] for part, place in chosen],
        ),
        raw=raw,
        pooled=pooled,
        values=to_probability(pooled).tolist(),
        parts=parts,
    )


def team_draft(first: Sequence[T], second: Sequence[T], *, seed: str) -> list[tuple[T, Team]]:
    """Return the records of two rankings as one list, each with the team that picked it.

    >>> picks = team_draft("abc", "bad", seed="s1")
    >>> sorted(record for record, _ in picks), sorted(picks[0][0] + picks[1][0])
    (['a', 'b', 'c', 'd'], ['a', 'b'])
    """
    rankings = (first, second)
    places = [0, 0]
    picked: set[T] = set()
    picks: list[tuple[T, Team]] = []
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
