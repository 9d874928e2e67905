"""Reciprocal rank: how soon comes the first relevant record?  Its mean is MRR."""

from collections.abc import Sequence


def reciprocal_rank(gains: Sequence[float], *, cutoff: int | None = None) -> float:
    """Return 1 over the rank of the first relevant record, or 0.0 without one.

    >>> reciprocal_rank([0, 1, 1])
    0.5
    """
    ranks = (rank for rank, gain in enumerate(gains[:cutoff], start=1) if gain > 0)
    first = next(ranks, None)
    return 1 / first if first else 0.0
