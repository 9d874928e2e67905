"""Entropy: how many kinds of record does a list hold, and how evenly?

    E = sum over types of p log2(1 / p),  p being the type's share of the list

in bits (Shannon 1949; Krestel and Fankhauser 2012 apply it to search results).  It looks at
what is in the list, not at the order: AABB and ABAB score alike.  `cumulative_entropy`
tells them apart.
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence

from forebear_lab.evaluation.measures.definition import Definition, Options
from forebear_lab.evaluation.measures.judged_ranking import JudgedRanking
from forebear_lab.evaluation.measures.ties import check_cutoff, draw_chance, tie_groups


def entropy(counts: Iterable[int]) -> float:
    """Return the entropy, in bits, of types that appear so many times each.

    >>> round(entropy([3, 1]), 4)
    0.8113
    """
    present = [count for count in counts if count]
    total = sum(present)
    return math.fsum(_share(count, total) for count in present)


def entropy_of_list(
    types: Sequence[Hashable], *, cutoff: int | None = None, tied: Sequence[int] | None = None
) -> float:
    """Return the entropy of the types of the first records."""
    *_, last = (0.0, *prefix_entropies(types, cutoff=cutoff, tied=tied))
    return last


def prefix_entropies(
    types: Sequence[Hashable], *, cutoff: int | None = None, tied: Sequence[int] | None = None
) -> Iterator[float]:
    """Yield the entropy of the first record, the first two, and so on, to the cutoff.

    Where scores tie, it is the mean: entropy is a sum over types, and how many of a type
    are among the first of a tied group follows the hypergeometric distribution.
    """
    check_cutoff(cutoff)
    places = len(types) if cutoff is None else min(cutoff, len(types))
    seen: Counter[Hashable] = Counter()
    for group in tie_groups(len(types), tied):
        inside = [types[position] for position in group]
        for drawn in range(1, min(len(group), places - group.start + 1)):
            yield _mean_entropy(seen, Counter(inside), drawn=drawn)
        if group.stop > places:
            return
        seen.update(inside)
        yield entropy(seen.values())  # of a whole group the order makes no difference


def _mean_entropy(seen: Counter[Hashable], inside: Counter[Hashable], *, drawn: int) -> float:
    size, total = inside.total(), seen.total() + drawn
    return math.fsum(
        draw_chance(hits, marked=inside[name], total=size, drawn=drawn)
        * _share(seen[name] + hits, total)
        for name in seen | inside
        for hits in range(min(drawn, inside[name]) + 1)
    )


def _share(count: int, total: int) -> float:
    return count / total * math.log2(total / count) if count else 0.0


def _calculate(ranking: JudgedRanking, cutoff: int | None, _: Options) -> float:
    return entropy_of_list(ranking.types, cutoff=cutoff, tied=ranking.tied)


DEFINITION = Definition(name="entropy", calculate=_calculate, looks_at="types")
