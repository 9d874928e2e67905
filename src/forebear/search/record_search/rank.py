"""One record once, the best first: from scored personas to the top of their lists.

A record may have several personas among the candidates; it is in the list once, under the best of
them (the first on the record, where they tie), and that is decided before the cut.  Records
of equal score are ordered by their tie keys.
"""

import numpy as np

from forebear.search.hits import Ints


def rank_records(scores: Ints, ties: Ints, positions: Ints, *, top: int) -> Ints:
    """Return which personas are in the list, best first.

    ``ties`` has the tie key of each persona's record, which also tells records apart;
    ``positions`` the persona's position on its record.
    """
    best, _ = rank_lists(np.zeros_like(scores), scores, ties, positions, top=top)
    return best


def rank_lists(
    lists: Ints, scores: Ints, ties: Ints, positions: Ints, *, top: int
) -> tuple[Ints, Ints]:
    """Return which personas are in their lists, list by list and the best first.

    ``lists`` has the number of each persona's list.  Returned is also how many different records
    each list has, of which it has the ``top`` ones.
    """
    order = np.lexsort((positions, ties, -scores, lists))
    by_record = np.argsort(ties[order], kind="stable")
    in_order = order[by_record]
    is_first = np.ones(len(order), np.bool_)
    is_first[1:] = ties[in_order[1:]] != ties[in_order[:-1]]
    is_first[1:] |= lists[in_order[1:]] != lists[in_order[:-1]]
    firsts = np.zeros(len(order), np.bool_)
    firsts[by_record] = is_first
    best: Ints = order[firsts]
    records = np.bincount(lists[best]) if len(best) else np.zeros(0, np.int64)
    places = np.arange(len(best)) - np.repeat(np.cumsum(records) - records, records)
    return best[places < top], records
