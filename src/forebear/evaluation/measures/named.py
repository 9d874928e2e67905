"""Which measure does a name mean?

The one table of names: commands, reports and documentation read it, and a new measure is
one row.  Each row looks at a judged ranking and the measure's own cutoff and options.
"""

from collections.abc import Callable

from forebear.errors import InputError
from forebear.evaluation.measures.measure import JudgedRanking, Measure
from forebear.evaluation.measures.nce import nce
from forebear.evaluation.measures.ndcg import ndcg
from forebear.evaluation.measures.precision import precision
from forebear.evaluation.measures.recall import recall
from forebear.evaluation.measures.reciprocal_rank import reciprocal_rank
from forebear.evaluation.measures.success import success

Calculation = Callable[[Measure, JudgedRanking], float]


def _nce(measure: Measure, ranking: JudgedRanking) -> float:
    type_count = measure.type_count or ranking.type_count
    if not type_count:
        raise InputError(
            f"measure '{measure}' needs the type of every document",
            hint="give a file with a document and its type a line (`--types FILE`)",
        )
    return nce(ranking.types[: measure.cutoff], type_count=type_count)


MEASURES: dict[str, Calculation] = {
    "ndcg": lambda m, r: ndcg(r.gains, judged=r.judged, cutoff=m.cutoff),
    "nce": _nce,
    "precision": lambda m, r: precision(r.gains, cutoff=m.cutoff),
    "recall": lambda m, r: recall(r.gains, judged=r.judged, cutoff=m.cutoff),
    "success": lambda m, r: success(r.gains, cutoff=m.cutoff),
    "mrr": lambda m, r: reciprocal_rank(r.gains, cutoff=m.cutoff),
}
TYPED_MEASURES = frozenset({"nce"})  # those that look at types and take `types=`


def measure_ranking(measure: Measure, ranking: JudgedRanking) -> float:
    """Return the measure of one query's ranking.

    Nothing found is worth nothing, whatever is measured: an empty list is perfectly
    varied by definition, and a system must not gain by staying silent.
    """
    return MEASURES[measure.name](measure, ranking) if ranking.gains else 0.0
