"""Round robin, and what becomes it on disjoint lists: reciprocal and inverse square ranks.

    RRF      sum over lists of 1 / (60 + rank)            (Cormack, Clarke and Buettcher 2009)
    ISR      number of lists * sum over lists of 1 / rank²   (Mourao, Martins and Magalhaes 2013)
    log ISR  log(number of lists + 1) * sum of 1 / rank²

Where a document is in one list only, each is a falling function of its rank there, so all give
one order: every list's first record, every list's second, and so on.  The records of one depth
are tied; an experiment averages over their orders.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.normalized import ranks_in_lists
from forebear_lab.experiments.fuser import Fitted

RRF_CONSTANT = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRobin:
    """Rank by depth in the own list; nothing is learned."""

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Return the merge; the lists teach it nothing."""
        del dataset
        return Fitted(score=lambda lists: 1 / (RRF_CONSTANT + ranks_in_lists(lists)))


def reciprocal_ranks(lists: Sequence[Sequence[str]], *, k: int = RRF_CONSTANT) -> dict[str, float]:
    """Return each document's RRF score; a list is given best first."""
    fused: dict[str, float] = {}
    for documents in lists:
        for rank, document in enumerate(documents, start=1):
            fused[document] = fused.get(document, 0.0) + 1 / (k + rank)
    return fused


def inverse_square_ranks(
    lists: Sequence[Sequence[str]], *, logarithmic: bool = False
) -> dict[str, float]:
    """Return each document's ISR (or log ISR) score; a list is given best first."""
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
    """Return minus the depth at which round robin first meets each document."""
    met: dict[str, float] = {}
    for documents in lists:
        for rank, document in enumerate(documents, start=1):
            met[document] = max(met.get(document, -math.inf), -float(rank))
    return met
