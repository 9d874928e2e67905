"""NDCG-IA: the mean, over the intents of a query, of the NDCG that each of them sees."""

from collections.abc import Sequence

from forebear.evaluation.measures.definition import Definition, Options
from forebear.evaluation.measures.gain import Gain
from forebear.evaluation.measures.intents import IntentRanking, Positions, mean_over_intents
from forebear.evaluation.measures.judged_ranking import Aspects, JudgedRanking
from forebear.evaluation.measures.ndcg import ndcg
from forebear.evaluation.measures.options import Choice


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


def _calculate(ranking: JudgedRanking, cutoff: int | None, options: Options) -> float:
    return ndcg_ia(
        ranking.aspects,
        cutoff=cutoff,
        positions=options["positions"],
        gain=options["gain"],
        tied=ranking.tied,
    )


DEFINITION = Definition(
    name="ndcg_ia",
    calculate=_calculate,
    options={"positions": Choice(("full", "sublist")), "gain": Choice(("linear", "exponential"))},
    looks_at="graded aspects",
)
