"""From where on is the list less likely?  A line, drawn by the estimated probability.

People stop trusting a list in which a few right records are followed by preposterous ones.
Below the line every record is right in less than one case of twenty.
"""

from collections.abc import Sequence
from math import ceil, log2

from forebear.search.fusion.shifted import FusedHit
from forebear.search.model import UNITS_PER_BIT

LEAST_CHANCE = 0.05
# The same as evidence, which a long list of hits is quicker asked for.
LEAST_EVIDENCE = ceil(UNITS_PER_BIT * log2(LEAST_CHANCE / (1 - LEAST_CHANCE)))


def less_likely_from(fused: Sequence[FusedHit]) -> int | None:
    """Return the rank of the first record below the line, or None if none lies below."""
    for rank in range(len(fused), 0, -1):
        if fused[rank - 1].evidence >= LEAST_EVIDENCE:
            return rank + 1 if rank < len(fused) else None
    return 1 if fused else None
