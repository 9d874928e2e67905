"""Precision: which share of the first records is relevant?

Places that the list leaves empty count as not relevant, as in trec_eval.
"""

from collections.abc import Sequence


def precision(gains: Sequence[float], *, cutoff: int | None = None) -> float:
    """Return the share of the first ``cutoff`` places that hold a relevant record.

    >>> precision([1, 0], cutoff=4)
    0.25
    """
    places = len(gains) if cutoff is None else cutoff
    return sum(gain > 0 for gain in gains[:cutoff]) / places if places else 0.0
