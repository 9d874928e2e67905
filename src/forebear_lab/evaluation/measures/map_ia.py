"""MAP-IA: the mean, over the intents of a query, of the average precision each of them sees."""

from collections.abc import Sequence

from forebear_lab.evaluation.measures.average_precision import average_precision
from forebear_lab.evaluation.measures.intents import (
    IntentRanking,
    Positions,
    define_intent_aware,
    mean_over_intents,
)
from forebear_lab.evaluation.measures.judged_ranking import Aspects
from forebear_lab.evaluation.measures.options import Count


def map_ia(
    aspects: Aspects,
    *,
    cutoff: int | None = None,
    positions: Positions = "full",
    rel: int = 1,
    tied: Sequence[int] | None = None,
) -> float:
    """Return the intent-aware average precision of a list."""

    def seen(intent: IntentRanking) -> float:
        return average_precision(
            [grade >= rel for grade in intent.grades],
            judged=[grade >= rel for grade in intent.judged],
            cutoff=cutoff,
            tied=intent.tied,
        )

    return mean_over_intents(aspects, seen, positions=positions, rel=rel, tied=tied)


DEFINITION = define_intent_aware("map_ia", map_ia, spellings=("ap_ia",), options={"rel": Count(1)})
