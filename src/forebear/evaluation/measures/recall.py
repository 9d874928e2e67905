"""Recall: which share of the relevant records is among the first?"""

from collections.abc import Sequence


def recall(gains: Sequence[float], *, judged: Sequence[float], cutoff: int | None = None) -> float:
    """Return the share of the relevant ``judged`` records that the list shows.

    >>> recall([1, 0, 1], judged=[1, 1, 0], cutoff=2)
    0.5
    """
    relevant = sum(gain > 0 for gain in judged)
    return sum(gain > 0 for gain in gains[:cutoff]) / relevant if relevant else 0.0
