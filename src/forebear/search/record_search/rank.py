"""One record once, the best first: from scored personas to the top of a list.

A record may be found through several of its personas; it is in the list once, under
the best of them (the first on the record, where they tie), and that is decided before the
cut.  Records of equal score are ordered by their tie keys.
"""

import numpy as np

from forebear.search.hits import Ints


def rank_records(scores: Ints, ties: Ints, positions: Ints, *, top: int) -> Ints:
    """Return which personas are in the list, best first.

    ``ties`` has the tie key of each persona's record, which also tells records apart;
    ``positions`` the persona's position on its record.
    """
    order = np.lexsort((positions, ties, -scores))
    _, first = np.unique(ties[order], return_index=True)
    best: Ints = order[np.sort(first)][:top]
    return best
