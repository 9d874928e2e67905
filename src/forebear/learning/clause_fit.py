"""From chances to weights: how many bits is each clause worth beside all the others?

Clauses overlap (a name that agrees to the letter sounds the same too), so what each adds is
found for all together: the logistic line that comes nearest to the chances of the pairs,

    log2 odds = shift + sum of the weights of the clauses that fire,

drawn toward the weights known before as if each were right within ``DOUBT_BITS``.  A clause that
never fires thus keeps its weight.  No clause changes sides: what speaks for a record is worth
nothing at worst.  The levels of a fact are nested and each adds to the one below, so a closer
agreement is then never worth less than a looser one.
"""

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from forebear.search.model import MAX_BITS

DOUBT_BITS = 0.25  # of a weight known before: chances are no labels
SHIFT_DOUBT_BITS = 2.0  # of a shift

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseFit:
    """Weights and shift, in bits."""

    weights: Floats
    shift: float


def fit_clauses(
    bits: NDArray[np.bool_],
    chances: Floats,
    *,
    known: Floats,
    signs: NDArray[np.int64],
    known_shift: float,
) -> ClauseFit:
    """Return the weights of the columns that explain the chances of the rows best."""
    # Rows that fire alike are one row that counts for many.
    rows, where, counts = np.unique(bits, axis=0, return_inverse=True, return_counts=True)
    features = np.column_stack([rows, np.ones(len(rows))]).astype(np.float64)
    sums = np.bincount(where.ravel(), chances, minlength=len(rows))
    center = np.append(known, known_shift)
    doubts = np.append(np.full(known.size, DOUBT_BITS), SHIFT_DOUBT_BITS)

    def loss(line: Floats) -> tuple[float, Floats]:
        logits = features @ line * log(2)
        off = (line - center) / doubts
        value = counts @ np.logaddexp(0, logits) - sums @ logits + off @ off / 2
        slope = features.T @ (counts * expit(logits) - sums) * log(2) + off / doubts
        return float(value), np.asarray(slope, np.float64)

    limits = [(0.0, MAX_BITS) if sign > 0 else (-MAX_BITS, 0.0) for sign in signs.tolist()]
    limits.append((-MAX_BITS, MAX_BITS))
    found = minimize(loss, center, jac=True, method="L-BFGS-B", bounds=limits)
    return ClauseFit(weights=np.asarray(found.x[:-1], np.float64), shift=float(found.x[-1]))
