"""One record once, the best first: from scored personas to the top of a list.

A record may be found through several of its personas; it stands in the list once, under
the best of them (the first on the record, where they tie), and that is decided before the
cut.  Records of equal score are ordered by a hash of their key: the same in every storage,
and without favor to collections that come early in the alphabet.
"""

import hashlib

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
TIE_KEYS = 1 << 63  # how many tie keys there are, from 0


def tie_key(record_key: str) -> int:
    """Return where a record stands among records of the same score, lowest first."""
    digest = hashlib.blake2b(record_key.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1  # fits a signed 64-bit column


def rank_records(scores: Ints, ties: Ints, positions: Ints, *, top: int) -> Ints:
    """Return which personas stand in the list, best first.

    ``ties`` has the tie key of each persona's record, which also tells records apart;
    ``positions`` the persona's position on its record.
    """
    order = np.lexsort((positions, ties, -scores))
    _, first = np.unique(ties[order], return_index=True)
    best: Ints = order[np.sort(first)][:top]
    return best
