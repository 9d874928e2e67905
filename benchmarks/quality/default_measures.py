"""How well do weights rank judged lists?  The lists are scored and fused again, not searched."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.default_data import SOURCES, JudgedLists, source_of
from benchmarks.quality.london_measures import interval, shown
from forebear_lab.evaluation.tables import Cell

CUTOFF = 100
MEASURES = ("success@1", "success@10", f"NDCG@{CUTOFF}")
# Real queries have one right record, or few; simulated ones many.
MEASURES_OF = {
    "soldiers": MEASURES[:2],
    "London": MEASURES[:2],
    "simulated": MEASURES[::2],
    "lab": MEASURES[::2],
}
IDEAL = np.cumsum(1 / np.log2(np.arange(1, CUTOFF + 1) + 1))  # by number of right records
HEADINGS = ("queries", "number", "measure", "hand-set", "fitted", "difference")

Floats = NDArray[np.float64]
Measured = Mapping[str, Floats]  # by part: a row for each query, a column for each measure


def measure_lists(lists: JudgedLists, weights: Floats, shifts: Floats) -> Floats:
    """Return MEASURES of each query.

    ``weights`` has a number for each column, ``shifts`` one for each record type, in bits.
    """
    queries = len(lists.right)
    scores = lists.fired @ weights + shifts[lists.types]
    query = lists.queries
    right = lists.labels[np.lexsort((lists.ties, -scores, query))]
    ranks = np.arange(len(right)) - lists.offsets[query] + 1
    first = np.full(queries, np.inf)
    np.minimum.at(first, query[right], ranks[right])
    gains = np.where(right & (ranks <= CUTOFF), 1 / np.log2(ranks + 1), 0.0)
    ndcg = np.bincount(query, gains, minlength=queries) / IDEAL[np.minimum(lists.right, CUTOFF) - 1]
    return np.column_stack([first <= 1, first <= 10, ndcg])


def measure_ranking(right: Sequence[bool], expected: int) -> tuple[float, float, float]:
    """Return MEASURES of one list, given which of its records are right and how many there are."""
    ranks = [rank for rank, is_right in enumerate(right, start=1) if is_right]
    first = ranks[0] if ranks else np.inf
    gains = sum(1 / np.log2(rank + 1) for rank in ranks if rank <= CUTOFF)
    return float(first <= 1), float(first <= 10), float(gains / IDEAL[min(expected, CUTOFF) - 1])


def differences(
    lists: Mapping[str, JudgedLists], before: Measured, after: Measured
) -> list[tuple[Cell, ...]]:
    """Return rows for HEADINGS: each source and each kind of its queries."""
    rows: list[tuple[Cell, ...]] = []
    for title, source, among in _groups(lists):
        chosen = [
            np.concatenate([values[name][places] for name, places in among.items()])
            for values in (before, after)
        ]
        gains = interval(chosen[1] - chosen[0])
        for measure in MEASURES_OF[source]:
            column = MEASURES.index(measure)
            old, new = (float(values[:, column].mean()) for values in chosen)
            rows.append(
                (
                    title,
                    len(chosen[0]),
                    measure,
                    f"{old:.3f}",
                    f"{new:.3f}",
                    shown(gains[column], sign="+"),
                )
            )
    return rows


def _groups(
    lists: Mapping[str, JudgedLists],
) -> Iterator[tuple[str, str, dict[str, NDArray[np.int64]]]]:
    """Yield a title, its source, and which queries of which parts belong to it."""
    for source in SOURCES:
        parts = {name: part for name, part in lists.items() if source_of(name) == source}
        yield source, source, {name: np.arange(len(part.right)) for name, part in parts.items()}
        kinds = sorted({str(kind) for part in parts.values() for kind in part.kinds} - {""})
        for kind in kinds:
            among = {name: np.flatnonzero(part.kinds == kind) for name, part in parts.items()}
            yield f"{source}, {kind}", source, among
