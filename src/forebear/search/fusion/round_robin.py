"""Best of each type: the first record of every type, then the second of every type, ...

A view for those who want to see what kinds of record there are.  In each round the types stand
by the score of the record they give.
"""

from collections.abc import Mapping, Sequence

from forebear.search.fusion.decayed import places_in_types
from forebear.search.fusion.shifted import FusedHit


def take_turns(
    fused: Sequence[FusedHit], *, taken: Mapping[str, int] | None = None
) -> tuple[FusedHit, ...]:
    """Return the one list, every type giving a record in turn.

    ``taken`` says how many records of each type came before this list.
    """
    turns = sorted(
        places_in_types(fused, taken or {}),
        key=lambda turn: (turn[0], -turn[1].score, turn[1].tie),
    )
    return tuple(hit for _, hit in turns)
