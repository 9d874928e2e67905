"""How early do ranked lists name a right record?  With intervals, and compared with each other.

Lists are given as the records' names, the best first, a list for each query.  Queries are
drawn again with replacement for the intervals (the bootstrap); differences are taken query by
query.
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Ranked = Mapping[str, Sequence[str]]  # records by query
Right = Mapping[str, Collection[str]]
MEASURES = ("success@1", "success@10", "MRR")
RESAMPLES = 2000
SEED = 11


def measure(ranked: Ranked, right: Right) -> NDArray[np.float64]:
    """Return the measures of every query, one row a query, in the order of ``right``."""
    rows = []
    for query, expected in right.items():
        places = (n for n, key in enumerate(ranked.get(query, ()), start=1) if key in expected)
        rank = next(places, None)
        rows.append((0.0, 0.0, 0.0) if rank is None else (rank == 1, rank <= 10, 1 / rank))
    return np.array(rows, dtype=np.float64)


def measure_ranks(ranked: Ranked, right: Right, *, cutoffs: Sequence[int]) -> NDArray[np.float64]:
    """Return for every query whether a right record is within each cutoff."""
    rows = []
    for query, expected in right.items():
        places = (n for n, key in enumerate(ranked.get(query, ()), start=1) if key in expected)
        rank = next(places, None)
        rows.append([rank is not None and rank <= cutoff for cutoff in cutoffs])
    return np.array(rows, dtype=np.float64)


def interval(values: NDArray[np.float64]) -> list[tuple[float, float, float]]:
    """Return the mean of each column and the bounds of 95 of 100 resampled means."""
    random = np.random.default_rng(SEED)
    samples = random.integers(len(values), size=(RESAMPLES, len(values)))
    means = np.array([values[rows].mean(axis=0) for rows in samples])
    low, high = np.quantile(means, [0.025, 0.975], axis=0)
    return list(zip(values.mean(axis=0).tolist(), low.tolist(), high.tolist(), strict=True))


def shown(value: tuple[float, float, float], *, sign: str = "") -> str:
    """Return a figure with its interval."""
    mean, low, high = value
    return f"{mean:{sign}.3f} [{low:{sign}.3f}, {high:{sign}.3f}]"
