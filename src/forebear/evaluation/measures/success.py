"""Success: is there a relevant record among the first?"""

from collections.abc import Sequence


def success(gains: Sequence[float], *, cutoff: int | None = None) -> float:
    """Return 1.0 if any of the first ``cutoff`` records is relevant, else 0.0.

    >>> success([0, 0, 1], cutoff=2)
    0.0
    """
    return float(any(gain > 0 for gain in gains[:cutoff]))
