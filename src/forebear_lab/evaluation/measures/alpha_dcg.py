"""Alpha-DCG: discounted gain that an aspect gives less of each time it is seen again.

The record at rank i earns, for each aspect that it covers, (1 - alpha)^(how often the
aspect was seen above it) / log2(1 + i) (Clarke et al., "Novelty and diversity in information
retrieval evaluation", 2008).
"""

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence

from forebear.errors import InputError
from forebear_lab.evaluation.measures.definition import Definition, Options
from forebear_lab.evaluation.measures.judged_ranking import JudgedRanking
from forebear_lab.evaluation.measures.options import Count, Share
from forebear_lab.evaluation.measures.ties import check_cutoff, draw_chance, tie_groups


def alpha_dcg(
    covers: Sequence[Collection[Hashable]],
    *,
    alpha: float = 0.5,
    cutoff: int | None = None,
    tied: Sequence[int] | None = None,
) -> float:
    """Return the alpha-DCG of a list; ``covers`` holds what each ranked record covers.

    >>> round(alpha_dcg("AABBBCCC"), 4)
    2.7293
    """
    check_cutoff(cutoff)
    if not 0 <= alpha <= 1:
        raise InputError(f"alpha lies between 0 and 1, and is not {alpha}")
    return math.fsum(_earnings(covers, 1 - alpha, cutoff, tied))


def _earnings(
    covers: Sequence[Collection[Hashable]],
    kept: float,
    cutoff: int | None,
    tied: Sequence[int] | None,
) -> Iterator[float]:
    seen: Counter[Hashable] = Counter()
    for group in tie_groups(len(covers), tied):
        inside = Counter(aspect for position in group for aspect in covers[position])
        for position in group:
            if cutoff is not None and position >= cutoff:
                return
            discount = math.log2(2 + position)
            for aspect, marked in inside.items():
                novelty = _mean_novelty(kept, marked, len(group), position - group.start)
                yield kept ** seen[aspect] * novelty / discount
        seen += inside


def _mean_novelty(kept: float, marked: int, size: int, above: int) -> float:
    """Return what one place in a tied group earns of one aspect, in the mean over orders.

    The place holds one of the ``marked`` records in marked / size cases, and then some of
    the others that are marked are among the ``above`` records of the group above it.
    """
    if size == 1:
        return 1.0
    return math.fsum(
        marked
        / size
        * draw_chance(hits, marked=marked - 1, total=size - 1, drawn=above)
        * kept**hits
        for hits in range(min(marked - 1, above) + 1)
    )


def _calculate(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    aspects = ranking.aspects
    covers = [aspects.covered(record, rel=options["rel"]) for record in aspects.ranked]
    return alpha_dcg(covers, alpha=options["alpha"], cutoff=cutoff, tied=ranking.tied)


DEFINITION = Definition(
    name="alpha_dcg",
    calculate=_calculate,
    options={"alpha": Share(0.5), "rel": Count(1)},
    looks_at="aspects",
)
