"""Measures over many judged lists at once.

Only the measures and conventions that are asked for most have a loop of their own here; for
all others each list is handed to the readable measure, which is slower and says the same.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.ndcg import Floats, Integers, summed_discounts
from forebear_lab.evaluation.large.entropy_columns import ce_columns, entropy_columns, nce_columns
from forebear_lab.evaluation.large.judged_columns import JudgedColumns
from forebear_lab.evaluation.measures.definition import Options
from forebear_lab.evaluation.measures.measure import Measure
from forebear_lab.kernels.ranked_gains import (
    discounted_gains,
    first_ranks,
    ideal_gains,
    summed_precisions,
)

Calculation = Callable[[JudgedColumns, int | None, Options], Floats]


def measure_columns(measure: Measure, columns: JudgedColumns) -> Floats:
    """Return the measure of each query's list."""
    calculate = _CALCULATIONS.get(measure.name)
    if calculate is None or (columns.averaged and measure.name not in _AVERAGED):
        lists = range(len(columns.queries))
        return np.array([measure.of(columns.ranking(query)) for query in lists], np.float64)
    return calculate(columns, measure.cutoff, measure.settings)


def _dcg(columns: JudgedColumns, cutoff: int | None, options: Options) -> Floats:
    discounts = _discounts(columns, cutoff)
    gains = _gains(columns.grades, options)
    return discounted_gains(gains, columns.begins, columns.ends, columns.offsets, discounts)


def _ndcg(columns: JudgedColumns, cutoff: int | None, options: Options) -> Floats:
    gains = _gains(columns.judged, options)
    ideals = ideal_gains(gains, columns.judged_offsets, _discounts(columns, cutoff))
    return _divided(_dcg(columns, cutoff, options), ideals)


def _precision(columns: JudgedColumns, cutoff: int | None, options: Options) -> Floats:
    places = np.diff(columns.offsets) if cutoff is None else np.array([cutoff])
    return _divided(_found(columns, cutoff, options), places)


def _recall(columns: JudgedColumns, cutoff: int | None, options: Options) -> Floats:
    return _divided(_found(columns, cutoff, options), _all_relevant(columns, options))


def _mrr(columns: JudgedColumns, cutoff: int | None, options: Options) -> Floats:
    ranks = first_ranks(columns.grades >= options["rel"], columns.offsets)
    counted = (ranks > 0) & (ranks <= _depth(columns, cutoff))
    return counted / np.maximum(ranks, 1)


def _success(columns: JudgedColumns, cutoff: int | None, options: Options) -> Floats:
    return (_mrr(columns, cutoff, options) > 0).astype(np.float64)


def _ap(columns: JudgedColumns, cutoff: int | None, options: Options) -> Floats:
    relevant = columns.grades >= options["rel"]
    sums = summed_precisions(relevant, columns.offsets, _depth(columns, cutoff))
    return _divided(sums, _all_relevant(columns, options))


_CALCULATIONS: dict[str, Calculation] = {
    "dcg": _dcg,
    "ndcg": _ndcg,
    "precision": _precision,
    "recall": _recall,
    "mrr": _mrr,
    "success": _success,
    "ap": _ap,
    "entropy": entropy_columns,
    "ce": ce_columns,
    "nce": nce_columns,
}
_AVERAGED = frozenset({"dcg", "ndcg", "precision", "recall"})  # those that know tied places


def _found(columns: JudgedColumns, cutoff: int | None, options: Options) -> Floats:
    relevant = (columns.grades >= options["rel"]).astype(np.float64)
    counts = np.arange(_depth(columns, cutoff) + 1, dtype=np.float64)
    return discounted_gains(relevant, columns.begins, columns.ends, columns.offsets, counts)


def _all_relevant(columns: JudgedColumns, options: Options) -> Floats:
    sums = np.concatenate(([0.0], np.cumsum(columns.judged >= options["rel"])))
    return np.diff(sums[columns.judged_offsets])


def _gains(grades: Integers, options: Options) -> Floats:
    counted = np.maximum(grades, 0).astype(np.float64)
    return counted if options["gain"] == "linear" else np.exp2(counted) - 1


def _discounts(columns: JudgedColumns, cutoff: int | None) -> Floats:
    depth = _depth(columns, cutoff)
    return summed_discounts(depth, cutoff=depth)


def _depth(columns: JudgedColumns, cutoff: int | None) -> int:
    lengths = np.concatenate((np.diff(columns.offsets), np.diff(columns.judged_offsets)))
    longest = int(lengths.max(initial=1))
    return longest if cutoff is None else min(cutoff, longest)


def _divided(sums: Floats, by: NDArray[np.integer] | Floats) -> Floats:
    return np.divide(sums, by, out=np.zeros_like(sums), where=np.broadcast_to(by > 0, sums.shape))
