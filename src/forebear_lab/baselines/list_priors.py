"""How much is each list worth by itself?  The share of queries with a hit in it.

What federated search calls a resource score: of the training queries that have the list, the
share for which it holds a relevant record, with one hit in two more queries assumed (Laplace).
"""

import numpy as np

from forebear.learning.dataset import FusionDataset
from forebear_lab.experiments.fuser import Row


def list_priors(dataset: FusionDataset) -> Row:
    """Return each list's prior."""
    count = len(dataset.list_names)
    sizes = np.diff(dataset.offsets).reshape(-1, count)
    cells = np.searchsorted(dataset.offsets, np.flatnonzero(dataset.labels), side="right") - 1
    hit = np.zeros(sizes.size, np.bool_)
    hit[cells] = True
    hits = hit.reshape(-1, count).sum(axis=0)
    return np.asarray((hits + 1) / ((sizes > 0).sum(axis=0) + 2), np.float64)
