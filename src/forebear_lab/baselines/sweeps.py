"""The best weight between two scored lists, and two learners that combine lists two at a time.

Of two lists only the ratio of their weights decides the order, and with scores in bits the ratio is
a shift t of the second list.  As t rises, relevant records of the second list pass records of the
first one by one; between two such crossings nothing changes.  So NDCG is a staircase with as many
steps as crossings, and sorting them finds the best one (Vogt and Cottrell 1999 for two systems; Wu
et al. 2010 for NDCG).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset
from forebear.learning.stochastic_search import FusedScores
from forebear_lab.baselines.fuser import Fitted, in_bits, named, sample_queries


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TwoLists:
    """One query's two lists: scores in bits, best first, and the worth of each record."""

    fixed: Floats
    fixed_worths: Floats  # gain over the query's ideal DCG; 0 for irrelevant records
    moved: Floats
    moved_worths: Floats


def best_shift(queries: Sequence[TwoLists], *, cutoff: int = 100) -> tuple[float, float]:
    """Return the shift of the second lists with the greatest NDCG, and the sum of NDCG there.

    Equal scores of one list stay in the order given.  Where the first step or the last is the
    best, the shift is one bit beyond the crossing.
    """
    longest = max((one.fixed.size + one.moved.size for one in queries), default=0)
    discounts = np.zeros(longest + 1)
    depth = min(cutoff, longest)
    discounts[:depth] = 1 / np.log2(2 + np.arange(depth))
    places, jumps, start = [np.zeros(0)], [np.zeros(0)], 0.0
    for one in queries:
        start += _add_crossings(one, discounts, cutoff, places, jumps)
    return _best_step(np.concatenate(places), np.concatenate(jumps), start)


def _add_crossings(
    one: TwoLists, discounts: Floats, cutoff: int, places: list[Floats], jumps: list[Floats]
) -> float:
    """Add where NDCG changes and by how much; return NDCG with the second list far below."""
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


def _best_step(places: Floats, jumps: Floats, start: float) -> tuple[float, float]:
    if not places.size:
        return 0.0, start
    order = np.argsort(places)
    places = places[order]
    values = start + np.concatenate(([0.0], np.cumsum(jumps[order])))
    borders = np.concatenate(([places[0] - 1], places, [places[-1] + 1]))
    middles = (borders[:-1] + borders[1:]) / 2
    middles[0], middles[-1] = borders[0], borders[-1]
    values[np.diff(borders) <= 0] = -np.inf  # several crossings in one place: no step between
    best = int(np.argmax(values))
    return float(middles[best]), float(values[best])


class ListPairs:
    """Judged lists in bits, two at a time: some merged under their shifts, and one to be moved."""

    def __init__(self, dataset: FusionDataset, *, cutoff: int = 100) -> None:
        self._dataset = dataset
        self._count = len(dataset.list_names)
        ideals = FusedScores(dataset, cutoff=cutoff).ideals
        sizes = np.diff(dataset.offsets[:: self._count])
        best = np.repeat(np.where(ideals > 0, ideals, 1.0), sizes)
        self._scores = dataset.scores.astype(np.float64)
        self._worths = dataset.labels / best

    def by_hits(self) -> list[int]:
        """Return the lists, those with the most relevant records first."""
        lists = self._dataset.lists_of_records()[self._dataset.labels > 0]
        hits = np.bincount(lists, minlength=self._count)
        return sorted(range(self._count), key=lambda number: -int(hits[number]))

    def pairs(self, fixed: Sequence[int], moved: int, shifts: Floats) -> Iterator[TwoLists]:
        """Yield, of each query, the fixed lists merged under their shifts, and the moved one."""
        for query in range(len(self._dataset.query_ids)):
            parts = [self._part(query, number) for number in fixed]
            scores = np.concatenate(
                [part[0] + shifts[n] for part, n in zip(parts, fixed, strict=True)]
            )
            worths = np.concatenate([part[1] for part in parts])
            order = np.argsort(-scores, kind="stable")
            other = self._part(query, moved)
            if worths.any() or other[1].any():
                yield TwoLists(
                    fixed=scores[order],
                    fixed_worths=worths[order],
                    moved=other[0],
                    moved_worths=other[1],
                )

    def _part(self, query: int, number: int) -> tuple[Floats, Floats]:
        cell = query * self._count + number
        rows = slice(self._dataset.offsets[cell], self._dataset.offsets[cell + 1])
        return self._scores[rows], self._worths[rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class VogtSweep:
    """Vogt's linear combination: each list against the one with most hits.

    With more lists than two, each is weighed against the same reference, on the records of those
    two alone; the other lists are ignored.
    """

    seed: int
    queries: int = 3000  # sampled at most

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Sweep every list against the reference."""
        pairs = ListPairs(in_bits(sample_queries(dataset, self.queries, self.seed)))
        shifts = np.zeros(len(dataset.list_names))
        reference, *others = pairs.by_hits()
        for number in others:
            shifts[number], _ = best_shift(list(pairs.pairs([reference], number, shifts)))
        return Fitted(
            score=lambda lists: in_bits(lists).scores + shifts[lists.lists_of_records()],
            settings={"queries": self.queries, "reference": dataset.list_names[reference]},
            weights=named(dataset, np.exp2(shifts)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WuCombiner:
    """Wu, Burges, Svore and Gao's combiner: lists joined one by one, each at its best weight.

    Two rankings are combined by (1 - a) * s1 + a * s2 with the a that maximizes NDCG over all
    crossings; the result is combined with the next, and so on ("Adapting boosting for information
    retrieval measures", 2010).  The lists with the most relevant records come first.  A weight once
    set is never changed, which is what separates this from coordinate ascent.
    """

    seed: int
    queries: int = 3000  # sampled at most

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Join the lists one by one."""
        pairs = ListPairs(in_bits(sample_queries(dataset, self.queries, self.seed)))
        shifts = np.zeros(len(dataset.list_names))
        first, *others = pairs.by_hits()
        joined = [first]
        for number in others:
            shifts[number], _ = best_shift(list(pairs.pairs(joined, number, shifts)))
            joined.append(number)
        return Fitted(
            score=lambda lists: in_bits(lists).scores + shifts[lists.lists_of_records()],
            settings={"queries": self.queries},
            weights=named(dataset, np.exp2(shifts)),
        )
