"""Which queries are learned from and which are held out?  Groups stay together."""

from collections.abc import Sequence

import numpy as np

from forebear.errors import InputError
from forebear.kernels.ndcg import Integers


def split_groups(keys: Sequence[str], share: float, seed: int) -> tuple[Integers, Integers]:
    """Return the positions to learn from and those held out; equal keys stay together.

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


def k_folds(keys: Sequence[str], count: int, seed: int) -> tuple[tuple[Integers, Integers], ...]:
    """Return, for each fold, the positions to learn from and those held out.

    Every position is held out once, and equal keys in the same fold.  The folds are about of
    one size: groups, the largest first, go to the fold that has the least.
    """
    groups, members, sizes = np.unique(np.asarray(keys), return_inverse=True, return_counts=True)
    if not 2 <= count <= groups.size:
        raise InputError(
            f"{groups.size} queries or groups of queries cannot make {count} folds",
            hint="a fold needs at least one: give more queries or fewer folds, at least 2",
        )
    order = np.random.default_rng(seed).permutation(groups.size)
    folds = np.zeros(groups.size, np.int64)
    filled = np.zeros(count, np.int64)
    for group in order[np.argsort(-sizes[order], kind="stable")]:
        folds[group] = np.argmin(filled)
        filled[folds[group]] += sizes[group]
    held = folds[members]
    return tuple(
        (np.flatnonzero(held != fold), np.flatnonzero(held == fold)) for fold in range(count)
    )
