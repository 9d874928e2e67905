"""The greatest entropy of n records of K types, found the paper's way: the test of Claim 1.

"Ranking in Genealogy", appendix.  Fix how many records the first types have, one type after
the other, and let the others share the rest evenly, in fractions if need be: that
relaxation is at least as good as anything below the branch (Claim 2).  So a branch ends
where the relaxation is whole, where it is no better than the best found, or where the same
counts were seen in another order.  It takes exponential time; `greatest_entropy` has the
answer in closed form, and nothing but tests comes here.
"""

import math
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What the search found, and the entropy of each relaxation that it looked at."""

    entropy: float
    counts: tuple[int, ...]
    visits: tuple[float, ...]


def search_greatest_entropy(length: int, *, type_count: int) -> Search:
    """Find the greatest entropy of a list, and show the way there.

    >>> search = search_greatest_entropy(5, type_count=3)
    >>> search.counts, [round(entropy, 3) for entropy in search.visits]
    ((1, 2, 2), [1.585, 1.0, 0.0, 0.722, 0.971, 1.522, 1.571, 1.371, 0.922])
    """
    state = _State(length=length, type_count=type_count)
    state.branch(())
    return Search(entropy=state.best, counts=state.counts, visits=tuple(state.visits))


def relaxed_entropy(fixed: tuple[int, ...], *, length: int, type_count: int) -> float:
    """Return the greatest entropy if the types that are not fixed may have fractions."""
    free = type_count - len(fixed)
    shares = [count / length for count in fixed]
    shares += [(length - sum(fixed)) / length / free] * free
    return math.fsum(share * math.log2(1 / share) for share in shares if share)


@dataclass(slots=True, kw_only=True)
class _State:
    length: int
    type_count: int
    best: float = 0.0
    counts: tuple[int, ...] = ()
    visits: list[float] = field(default_factory=list)
    evaluated: set[tuple[int, ...]] = field(default_factory=set)

    def branch(self, fixed: tuple[int, ...]) -> None:
        """Look at the relaxation where the first types have these counts, and below it."""
        free, rest = self.type_count - len(fixed), self.length - sum(fixed)
        whole = rest % free == 0
        counts = tuple(sorted((*fixed, *[rest // free] * free)))
        if whole and counts in self.evaluated:
            return
        entropy = relaxed_entropy(fixed, length=self.length, type_count=self.type_count)
        self.visits.append(entropy)
        if whole:
            self._keep(counts, entropy)
        elif entropy > self.best:
            for count in range(rest + 1):
                self.branch((*fixed, count))

    def _keep(self, counts: tuple[int, ...], entropy: float) -> None:
        self.evaluated.add(counts)
        if entropy > self.best or not self.counts:
            self.best, self.counts = entropy, counts
