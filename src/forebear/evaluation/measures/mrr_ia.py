"""MRR-IA: the mean, over the intents of a query, of the reciprocal rank each of them sees."""

from collections.abc import Sequence

from forebear.evaluation.measures.definition import Definition, Options
from forebear.evaluation.measures.intents import IntentRanking, Positions, mean_over_intents
from forebear.evaluation.measures.judged_ranking import Aspects, JudgedRanking
from forebear.evaluation.measures.options import Choice, Count
from forebear.evaluation.measures.reciprocal_rank import reciprocal_rank


def mrr_ia(
    aspects: Aspects,
    *,
    cutoff: int | None = None,
    positions: Positions = "full",
    rel: int = 1,
    tied: Sequence[int] | None = None,
) -> float:
    """Return the intent-aware reciprocal rank of a list."""

    def seen(intent: IntentRanking) -> float:
        relevant = [grade >= rel for grade in intent.grades]
        return reciprocal_rank(relevant, cutoff=cutoff, tied=intent.tied)

    return mean_over_intents(aspects, seen, positions=positions, rel=rel, tied=tied)


def _calculate(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    return mrr_ia(
        ranking.aspects,
        cutoff=cutoff,
        positions=options["positions"],
        rel=options["rel"],
        tied=ranking.tied,
    )


DEFINITION = Definition(
    name="mrr_ia",
    spellings=("rr_ia",),
    calculate=_calculate,
    options={"positions": Choice(("full", "sublist")), "rel": Count(1)},
    looks_at="graded aspects",
)
