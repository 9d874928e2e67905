"""Which queries to learn from and which to hold out, keeping what belongs together.

Queries of one family tree, or of one user, are alike.  Were they on both sides, the test
would reward remembering; so whole groups change sides.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError


def split_groups(
    keys: Sequence[str], share: float, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the positions kept and held out; equal keys stay together.

    About ``share`` of the positions are held out, as near as whole groups allow, and at
    least one group is on each side.
    """
    if not 0 < share < 1:
        raise InputError(f"the share to hold out is {share}, not between 0 and 1")
    groups, members, sizes = np.unique(np.asarray(keys), return_inverse=True, return_counts=True)
    if groups.size < 2:
        raise InputError(f"{groups.size} group(s) cannot be split; at least 2 are needed")
    order = np.random.default_rng(seed).permutation(groups.size)
    reached = np.cumsum(sizes[order])[:-1]
    held_count = int(np.argmin(np.abs(reached - share * len(keys)))) + 1
    held = np.isin(members, order[:held_count])
    return np.flatnonzero(~held), np.flatnonzero(held)
