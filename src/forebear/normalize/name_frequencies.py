"""How rare is a name, and so how much does it tell that two records share it?

A name that one persona in 2^n bears is worth n bits of evidence.  Counts come from the archive
itself; a name it has never seen counts as half a persona, so that its worth is finite.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

UNSEEN_COUNT = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class NameFrequencies:
    """How often each spelled name occurs among so many bearers."""

    counts: dict[str, int]
    total: int

    def share(self, names: Iterable[str]) -> float:
        """Return the share of bearers of any of these names, 1.0 for an empty archive."""
        bearers = sum(self.counts.get(name, 0) for name in set(names))
        return min(max(bearers, UNSEEN_COUNT) / self.total, 1.0) if self.total else 1.0

    def bits(self, names: Iterable[str]) -> float:
        """Return what it is worth, in bits, to share one of these names.

        >>> count_names(["smith", "smith", "smith", "jones"]).bits(["jones"])
        2.0
        """
        return -math.log2(self.share(names))


def count_names(names: Iterable[str]) -> NameFrequencies:
    """Return the frequencies of spelled names, one for each bearer; empty names are left out."""
    counts = Counter(filter(None, names))
    return NameFrequencies(counts=dict(counts), total=counts.total())
