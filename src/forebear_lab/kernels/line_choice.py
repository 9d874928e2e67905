"""Which step to take, given NDCG at every border of a line: the middle of the best ground.

The highest single point of such a line is often a needle that the next query would break.
Smoothing NDCG over a window of borders looks for high ground instead (Cer, Jurafsky and
Manning 2008 found the same for translation); where several borders in a row are best, the
middle of the longest row is taken.
"""

import numpy as np

from forebear.kernels.compiled import compiled
from forebear.kernels.ndcg import Floats

_EQUAL = 1e-10  # sums of jumps that differ by less differ by rounding


@compiled
def choose_border(
    values: Floats, half: int, first: int, last: int, current: float
) -> tuple[int, float]:
    """Return the best border from ``first`` to before ``last``, and its gain.

    A border's value is the mean over ``half`` borders to each side; it is compared with that
    of the two middle borders, between which step 0 lies (if one of these is the best, nothing
    is gained), or with ``current``, the exact value at step 0, if nothing is smoothed.
    """
    sums = np.zeros(values.size + 1)
    sums[1:] = np.cumsum(values)
    middle = values.size // 2
    if half > 0:
        beside = sums[middle + half] - sums[middle - half - 1]
        current = (beside + sums[middle + half + 1] - sums[middle - half]) / (4 * half + 2)
    best, chosen, length, row = -np.inf, -1, 0, 0
    for border in range(max(first, half), min(last, values.size - half)):
        value = (sums[border + half + 1] - sums[border - half]) / (2 * half + 1)
        if value > best + _EQUAL:
            best, chosen, length, row = value, border, 1, 1
        elif value >= best - _EQUAL:
            row += 1
            if row > length:
                length = row
                chosen = border - (row - 1) // 2
        else:
            row = 0
    if half > 0 and middle - 1 <= chosen <= middle:
        return chosen, 0.0
    return chosen, best - current
