"""One list to be fused, as read from a file."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedList:
    """One list's scores for all queries, best first, and which relevant documents it has."""

    sizes: NDArray[np.int64]  # how many documents it has for each query
    scores: NDArray[np.float64]
    labels: NDArray[np.int64]
    relevant: frozenset[tuple[str, str]]  # query and document
