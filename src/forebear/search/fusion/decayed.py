"""Type decay: a record pays for those of its own type that stand before it.

Where one type crowds the others out, the n-th record of a type is lowered by n - 1 times the
decay, so that records of other types come up between.  The order inside a type never changes,
so it need not be worked out greedily: how many of its type stand before a record is its place
in the type's own list.  (The relative of xQuAD and MMR that keeps lists as they are.)
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from forebear.search.fusion.shifted import FusedHit, in_order


def decay_types(
    fused: Sequence[FusedHit], decay: int, *, taken: Mapping[str, int] | None = None
) -> tuple[FusedHit, ...]:
    """Return the one list with every type decayed, by so many 64ths of a bit a record.

    ``taken`` says how many records of each type came before this list.
    """
    if not decay:
        return tuple(fused)
    return in_order(
        [replace(hit, decay=place * decay) for place, hit in places_in_types(fused, taken or {})]
    )


def places_in_types(
    fused: Sequence[FusedHit], taken: Mapping[str, int]
) -> Iterator[tuple[int, FusedHit]]:
    """Yield every hit with how many of its type come before it."""
    places = Counter(taken)
    for hit in fused:
        yield places[hit.record_type], hit
        places[hit.record_type] += 1
