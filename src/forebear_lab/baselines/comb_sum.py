"""CombSUM and CombMNZ: a document's scores added up over the lists that hold it.

    CombSUM = sum of its scores        CombMNZ = CombSUM * number of lists that hold it

Both reward being found by several systems (Fox and Shaw 1994).  Where lists are disjoint every
document is in one list, the number is 1, and both are plain merging of (normalized) scores:
`normalized.py` is what an experiment runs.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

ScoredList = Mapping[str, float]


def comb_sum(lists: Sequence[ScoredList]) -> dict[str, float]:
    """Return the sum of each document's scores.

    >>> comb_sum([{"a": 1.0, "b": 0.5}, {"b": 0.75}])
    {'a': 1.0, 'b': 1.25}
    """
    fused: dict[str, float] = {}
    for scores in lists:
        for document, score in scores.items():
            fused[document] = fused.get(document, 0.0) + score
    return fused


def comb_mnz(lists: Sequence[ScoredList]) -> dict[str, float]:
    """Return the sum of each document's scores, times how many lists hold it.

    >>> comb_mnz([{"a": 1.0, "b": 0.5}, {"b": 0.75}])
    {'a': 1.0, 'b': 2.5}
    """
    holders = Counter(document for scores in lists for document in scores)
    return {document: score * holders[document] for document, score in comb_sum(lists).items()}
