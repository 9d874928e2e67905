"""NDCG-IA: the mean, over the intents of a query, of the NDCG that each of them sees."""

from collections.abc import Sequence

from forebear_lab.evaluation.measures.gain import Gain
from forebear_lab.evaluation.measures.intents import (
    IntentRanking,
    Positions,
    define_intent_aware,
    mean_over_intents,
)
from forebear_lab.evaluation.measures.judged_ranking import Aspects
from forebear_lab.evaluation.measures.ndcg import ndcg
from forebear_lab.evaluation.measures.options import Choice


def ndcg_ia(
    aspects: Aspects,
    *,
    cutoff: int | None = None,
    positions: Positions = "full",
    gain: Gain = "linear",
    tied: Sequence[int] | None = None,
) -> float:
    """Return the intent-aware NDCG of a list."""

    def seen(intent: IntentRanking) -> float:
        return ndcg(intent.grades, judged=intent.judged, cutoff=cutoff, gain=gain, tied=intent.tied)

    return mean_over_intents(aspects, seen, positions=positions, tied=tied)


DEFINITION = define_intent_aware(
    "ndcg_ia", ndcg_ia, options={"gain": Choice(("linear", "exponential"))}
)
