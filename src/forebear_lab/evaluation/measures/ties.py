"""Records with equal scores have no order: what is a measure worth then?

Its mean over every order that the scores allow.  The mean needs no orders to be drawn: in a
group of t equal scores each record stands at each of the t places equally often, and how
many of the first j places are taken by m marked records follows the hypergeometric
distribution (McSherry and Najork, "Computing information retrieval performance measures
efficiently in the presence of tied scores", 2008).

Measures take ``tied``, the sizes of the groups of equal scores, best first; without it
every record is a group of its own, and a measure is what it is in the textbooks.
"""

import math
from collections.abc import Iterator, Sequence

from forebear.errors import InputError


def tie_groups(length: int, tied: Sequence[int] | None) -> Iterator[range]:
    """Yield the positions, from 0, of each group of equal scores."""
    sizes = [1] * length if tied is None else tied
    if sum(sizes) != length:
        raise InputError(f"groups of {sum(sizes)} equal scores do not part a list of {length}")
    start = 0
    for size in sizes:
        yield range(start, start + size)
        start += size


def averaged(gains: Sequence[float], tied: Sequence[int] | None) -> Sequence[float]:
    """Return the mean gain of each position; all that a sum over positions needs to know.

    >>> averaged([1, 0, 2], tied=[2, 1])
    [0.5, 0.5, 2.0]
    """
    if tied is None:
        return gains
    means: list[float] = []
    for group in tie_groups(len(gains), tied):
        mean = math.fsum(gains[position] for position in group) / len(group)
        means += [mean] * len(group)
    return means


def draw_chance(hits: int, *, marked: int, total: int, drawn: int) -> float:
    """Return how likely ``hits`` of ``drawn`` records are marked, if ``marked`` of all are.

    >>> draw_chance(1, marked=1, total=4, drawn=3)
    0.75
    """
    if not 0 <= hits <= drawn or hits > marked:
        return 0.0
    ways = math.comb(marked, hits) * math.comb(total - marked, drawn - hits)
    return ways / math.comb(total, drawn)


def check_cutoff(cutoff: int | None) -> None:
    """Refuse a cutoff that leaves nothing to measure."""
    if cutoff is not None and cutoff < 1:
        raise InputError(f"a cutoff is at least 1, not {cutoff}")
