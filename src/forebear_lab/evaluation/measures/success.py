"""Success: is there a relevant record among the first?"""

from collections.abc import Sequence

from forebear_lab.evaluation.measures.definition import Definition, Options
from forebear_lab.evaluation.measures.judged_ranking import JudgedRanking
from forebear_lab.evaluation.measures.options import Count
from forebear_lab.evaluation.measures.ties import check_cutoff, draw_chance, tie_groups


def success(
    gains: Sequence[float], *, cutoff: int | None = None, tied: Sequence[int] | None = None
) -> float:
    """Return 1.0 if any of the first ``cutoff`` records is relevant, else 0.0.

    Where ties leave it open, the answer is how likely it is.

    >>> success([0, 0, 1], cutoff=2)
    0.0
    >>> success([0, 0, 1], cutoff=2, tied=[1, 2])
    0.5
    """
    check_cutoff(cutoff)
    places = len(gains) if cutoff is None else cutoff
    for group in tie_groups(len(gains), tied):
        relevant = sum(gains[position] > 0 for position in group)
        drawn = max(0, min(len(group), places - group.start))
        if relevant and drawn:
            return 1 - draw_chance(0, marked=relevant, total=len(group), drawn=drawn)
    return 0.0


def _calculate(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    rel = options["rel"]
    return success(ranking.relevant(rel), cutoff=cutoff, tied=ranking.tied)


DEFINITION = Definition(name="success", calculate=_calculate, options={"rel": Count(1)})
