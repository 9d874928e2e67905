"""MRR-IA: the mean, over the intents of a query, of the reciprocal rank each of them sees."""

from collections.abc import Sequence

from forebear_lab.evaluation.measures.intents import (
    IntentRanking,
    Positions,
    define_intent_aware,
    mean_over_intents,
)
from forebear_lab.evaluation.measures.judged_ranking import Aspects
from forebear_lab.evaluation.measures.options import Count
from forebear_lab.evaluation.measures.reciprocal_rank import reciprocal_rank


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


DEFINITION = define_intent_aware("mrr_ia", mrr_ia, spellings=("rr_ia",), options={"rel": Count(1)})
