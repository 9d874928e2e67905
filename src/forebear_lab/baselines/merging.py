"""Merging without search: normalized scores, sums over lists, reciprocal ranks, CORI.

Where lists are disjoint every document is in one list, so CombSUM and CombMNZ are the merging of
normalized scores, and reciprocal ranks (RRF) and inverse square ranks (ISR) are round robin.  Lists
that share documents are combined in ``forebear_lab.learning.combining``.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.fuser import Fitted, named
from forebear_lab.learning.combining import RRF_CONSTANT

SHARE = 0.4  # in CORI, of the collection beside the document


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalizedMerge:
    """Sort the union of the lists by their normalized scores; nothing is learned.

        min_max   (s - least) / (most - least)
        max       s / most
        sum       s / sum of the list's scores
        z         (s - mean) / standard deviation
        rank      1 - (rank - 1) / length

    A list whose scores are all the same, one of a single record too, has 1 throughout for min_max
    and z.  Each of these ignores whether the list has anything good for this query: every list has
    a record at the top of the scale.  (Powell et al. 2000; the first row of the paper's table, raw
    scores, is `none`.)
    """

    norm: str

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Return the merge; nothing is learned from the lists."""
        del dataset
        return Fitted(score=lambda lists: normalize(lists, self.norm), settings={"norm": self.norm})


def normalize(dataset: FusionDataset, norm: str) -> Floats:
    """Return each record's normalized score."""
    scores = dataset.scores.astype(np.float64)
    return NORMS[norm](scores, _Cells(dataset)) if scores.size else scores


def ranks_in_lists(dataset: FusionDataset) -> Floats:
    """Return each record's rank in its list, from 1."""
    return np.asarray(_Cells(dataset).places + 1, np.float64)


class _Cells:
    """The lists that hold any record, and sums over each, spread over its records."""

    def __init__(self, dataset: FusionDataset) -> None:
        filled = np.flatnonzero(np.diff(dataset.offsets))
        self.starts = dataset.offsets[filled]
        self.ends = dataset.offsets[filled + 1]
        self.sizes = self.ends - self.starts
        self.places = np.arange(dataset.scores.size) - np.repeat(self.starts, self.sizes)

    def spread(self, values: Floats) -> Floats:
        return np.repeat(values, self.sizes)

    def sums(self, values: Floats) -> Floats:
        return self.spread(np.add.reduceat(values, self.starts))

    def most(self, scores: Floats) -> Floats:
        return self.spread(scores[self.starts])  # lists are sorted

    def least(self, scores: Floats) -> Floats:
        return self.spread(scores[self.ends - 1])

    def lengths(self) -> Floats:
        return self.spread(self.sizes.astype(np.float64))


def _min_max(scores: Floats, cells: _Cells) -> Floats:
    most, least = cells.most(scores), cells.least(scores)
    return _divide(scores - least, most - least)


def _z(scores: Floats, cells: _Cells) -> Floats:
    centered = scores - cells.sums(scores) / cells.lengths()
    deviations = np.sqrt(cells.sums(centered**2) / cells.lengths())
    same = cells.most(scores) == cells.least(scores)
    return _divide(centered, np.where(same, 0.0, deviations))


def _divide(values: Floats, by: Floats) -> Floats:
    return np.where(by == 0, 1.0, values / np.where(by == 0, 1.0, by))


NORMS: dict[str, Callable[[Floats, _Cells], Floats]] = {
    "none": lambda scores, _: scores,
    "min_max": _min_max,
    "max": lambda scores, cells: _divide(scores, cells.most(scores)),
    "sum": lambda scores, cells: _divide(scores, cells.sums(scores)),
    "z": _z,
    "rank": lambda _, cells: 1 - cells.places / cells.lengths(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRobin:
    """Rank by depth in the list; nothing is learned.

    Every list's first record comes first, then every list's second, and so on.  The records of one
    depth are tied; an experiment averages over their orders.
    """

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Return the merge; nothing is learned from the lists."""
        del dataset
        return Fitted(score=lambda lists: 1 / (RRF_CONSTANT + ranks_in_lists(lists)))


def inverse_square_ranks(
    lists: Sequence[Sequence[str]], *, logarithmic: bool = False
) -> dict[str, float]:
    """Return each document's ISR (or log ISR) score; a list is given best first.

        ISR      number of lists * sum over lists of 1 / rank²
        log ISR  log(number of lists + 1) * sum of 1 / rank²

    (Mourao, Martins and Magalhaes 2013.)
    """
    sums: dict[str, float] = {}
    holders: dict[str, int] = {}
    for documents in lists:
        for rank, document in enumerate(documents, start=1):
            sums[document] = sums.get(document, 0.0) + 1 / rank**2
            holders[document] = holders.get(document, 0) + 1
    return {
        document: total * (math.log(holders[document] + 1) if logarithmic else holders[document])
        for document, total in sums.items()
    }


def depths(lists: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return minus the depth at which round robin reaches each document."""
    met: dict[str, float] = {}
    for documents in lists:
        for rank, document in enumerate(documents, start=1):
            met[document] = max(met.get(document, -math.inf), -float(rank))
    return met


def list_priors(dataset: FusionDataset) -> Floats:
    """Return what each list is worth by itself, in federated search its resource score.

    Of the training queries that have the list, it is the share for which the list holds a relevant
    record, with one hit in two more queries assumed (Laplace).
    """
    count = len(dataset.list_names)
    sizes = np.diff(dataset.offsets).reshape(-1, count)
    cells = np.searchsorted(dataset.offsets, np.flatnonzero(dataset.labels), side="right") - 1
    hit = np.zeros(sizes.size, np.bool_)
    hit[cells] = True
    hits = hit.reshape(-1, count).sum(axis=0)
    return np.asarray((hits + 1) / ((sizes > 0).sum(axis=0) + 2), np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedRrf:
    """Reciprocal ranks weighted by the list's prior: prior / (60 + rank).

    Drexel's runs at FedWeb 2014, with the resource score learned from judgments.
    """

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Learn the priors."""
        priors = list_priors(dataset)

        def score(lists: FusionDataset) -> Floats:
            return priors[lists.lists_of_records()] / (RRF_CONSTANT + ranks_in_lists(lists))

        return Fitted(score=score, settings={"k": RRF_CONSTANT}, weights=named(dataset, priors))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cori:
    """A record's normalized score, raised a little by its list's prior.

        D' = (D - least) / (most - least)      C' = the list's prior, brought to 0..1 alike
        score = (D' + 0.4 * D' * C') / 1.4

    (Callan, Lu and Croft 1995.)  There C is the score of the collection for the query, which needs
    a description of every collection; here it is the list's prior, learned from judgments.
    """

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Learn the priors."""
        priors = list_priors(dataset)
        width = float(np.ptp(priors))
        shares = (priors - priors.min()) / width if width else np.ones(priors.size)

        def score(lists: FusionDataset) -> Floats:
            return cori_scores(normalize(lists, "min_max"), shares[lists.lists_of_records()])

        return Fitted(score=score, settings={"share": SHARE}, weights=named(dataset, shares))


def cori_scores(documents: Floats, collections: Floats) -> Floats:
    """Return the merged scores of normalized document and collection scores."""
    return (documents + SHARE * documents * collections) / (1 + SHARE)
