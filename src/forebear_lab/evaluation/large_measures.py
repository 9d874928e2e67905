"""How good is a run in large files?  The values of `evaluate`, through arrays.

The lists of all judged queries are held in `JudgedColumns`, as `JudgedRanking` holds one list.
Only the most used measures and conventions have a compiled loop; for all others each list is
handed to the scalar measure, which is slower and gives the same value.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.compiled import announce_compilation
from forebear.kernels.nce import count_types, entropies_by_query
from forebear.kernels.ndcg import Floats, Integers, summed_discounts
from forebear.learning.measures import nce_of_arrays
from forebear_lab.evaluation.evaluate import (
    Conventions,
    Evaluation,
    Ties,
    WithoutRelevant,
    looks_at_relevance,
)
from forebear_lab.evaluation.files import JudgmentFiles
from forebear_lab.evaluation.large_files import (
    GroupedDocuments,
    QrelsColumns,
    RunColumns,
    TypeColumns,
    UnsupportedFormat,
    match_words,
    read_qrels_columns,
    read_run_columns,
    read_type_columns,
    read_type_run_columns,
)
from forebear_lab.evaluation.measures.definition import Aspects, JudgedRanking, Options
from forebear_lab.evaluation.measures.measure import Measure
from forebear_lab.kernels.ranking import (
    discounted_gains,
    first_ranks,
    ideal_gains,
    ranked_rows,
    summed_precisions,
    tie_bounds,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TypedColumns:
    """The types of the documents of judged lists, by number."""

    names: tuple[str, ...]
    ranked: Integers
    judged: Integers  # of all judged documents; -1 if it has none
    supply: Integers  # a row a query, a column a type


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedColumns:
    """The lists of the judged queries that the run answers, best documents first.

    A document has the places ``begins:ends`` of its list, counted from 0: one place unless ties
    are averaged.
    """

    queries: tuple[str, ...]
    offsets: Integers
    grades: Integers  # of the ranked documents
    begins: Integers
    ends: Integers
    judged_offsets: Integers
    judged: Integers  # grades of all judged documents, ranked or not
    types: TypedColumns | None
    averaged: bool

    def ranking(self, query: int) -> JudgedRanking:
        """Return one query's list as the scalar measures take it."""
        rows = slice(*self.offsets[query : query + 2])
        judged_rows = slice(*self.judged_offsets[query : query + 2])
        grades = tuple(self.grades[rows].tolist())
        judged = tuple(self.judged[judged_rows].tolist())
        tied = None
        if self.averaged:
            begins, ends = self.begins[rows], self.ends[rows]
            first = np.unique(begins, return_index=True)[1]
            tied = tuple((ends - begins)[first].tolist())
        if self.types is None:
            return JudgedRanking(grades=grades, judged=judged, tied=tied, aspects=_NO_ASPECTS)
        names = self.types.names
        types = tuple(names[code] for code in self.types.ranked[rows].tolist())
        judged_types = self.types.judged[judged_rows].tolist()
        pairs = zip(judged_types, judged, strict=True)
        supply = zip(names, self.types.supply[query].tolist(), strict=True)
        return JudgedRanking(
            grades=grades,
            judged=judged,
            tied=tied,
            types=types,
            type_count=len(names),
            supply={name: count for name, count in supply if count},
            aspects=Aspects(
                ranked=tuple({name: grade} for name, grade in zip(types, grades, strict=True)),
                judged=tuple({names[code]: grade} for code, grade in pairs if code >= 0),
                by_type=True,
            ),
        )


_NO_ASPECTS = Aspects(ranked=(), judged=(), by_type=True)


def evaluate_large(
    run: Path,
    judgments: JudgmentFiles,
    measures: Sequence[Measure],
    conventions: Conventions,
    *,
    need_types: bool,
    announce: Callable[[str], None] | None,
) -> Evaluation | None:
    """Measure a run; None if the files hold something that only the reader by line supports.

    ``announce`` gets a message if loops have to be compiled.
    """
    try:
        with announce_compilation(announce or (lambda _: None)):
            types = _read_types(judgments) if need_types else None
            qrels = read_qrels_columns(judgments.qrels)
            columns = judge_columns(read_run_columns(run), qrels, types, ties=conventions.ties)
            return Evaluation(
                values={
                    measure: _by_query(measure, columns, qrels, conventions.without_relevant)
                    for measure in measures
                }
            )
    except UnsupportedFormat:
        return None


def judge_columns(
    run: RunColumns, qrels: QrelsColumns, types: TypeColumns | None, *, ties: Ties
) -> JudgedColumns:
    """Rank the documents of judged queries, and look up their grades."""
    answered = set(run.documents.queries)
    queries = [query for query in qrels.documents.queries if query in answered]
    ranked, judged = run.documents.of(queries), qrels.documents.of(queries)
    scores, judged_grades = run.scores[ranked.rows], qrels.grades[judged.rows]
    matches, _ = match_words(ranked.documents, ranked.offsets, judged.documents, judged.offsets)
    grades = np.zeros(scores.size, np.int64)
    grades[matches[matches >= 0]] = np.maximum(judged_grades[matches >= 0], 0)
    order = ranked_rows(
        scores,
        grades,
        ranked.documents.data,
        ranked.documents.bounds,
        ranked.offsets,
        ties == "pessimistic",
        ties in ("docno", "pessimistic"),
    )
    if ties == "average":
        begins, ends = tie_bounds(scores[order], ranked.offsets)
    else:
        begins = np.arange(scores.size) - np.repeat(ranked.offsets[:-1], np.diff(ranked.offsets))
        ends = begins + 1
    return JudgedColumns(
        queries=tuple(queries),
        offsets=ranked.offsets,
        grades=grades[order],
        begins=begins,
        ends=ends,
        judged_offsets=judged.offsets,
        judged=judged_grades,
        types=_typed(types, ranked, judged, order) if types else None,
        averaged=ties == "average",
    )


def measure_columns(measure: Measure, columns: JudgedColumns) -> Floats:
    """Return the measure of each query's list."""
    calculate = _CALCULATIONS.get(measure.name)
    if calculate is None or (columns.averaged and measure.name not in _AVERAGED):
        lists = range(len(columns.queries))
        return np.array([measure.of(columns.ranking(query)) for query in lists], np.float64)
    return calculate(columns, measure.cutoff, measure.settings)


def _read_types(judgments: JudgmentFiles) -> TypeColumns:
    if judgments.type_runs:
        return read_type_run_columns(judgments.type_runs)
    if judgments.types:
        return read_type_columns(judgments.types)
    raise UnsupportedFormat


def _typed(
    types: TypeColumns, ranked: GroupedDocuments, judged: GroupedDocuments, order: Integers
) -> TypedColumns:
    codes = types.of(ranked.documents)[order]
    if (codes < 0).any():
        raise UnsupportedFormat  # a document of the run has no type
    supply = types.supply_of(ranked.queries)
    if supply is None:
        supply = count_types(codes, ranked.offsets, len(types.names))
    return TypedColumns(
        names=types.names, ranked=codes, judged=types.of(judged.documents), supply=supply
    )


def _by_query(
    measure: Measure,
    columns: JudgedColumns,
    qrels: QrelsColumns,
    without_relevant: WithoutRelevant,
) -> Mapping[str, float]:
    queries = qrels.documents.queries
    if not queries:
        raise UnsupportedFormat  # nothing was judged
    values = dict.fromkeys(queries, 0.0)
    values.update(zip(columns.queries, measure_columns(measure, columns).tolist(), strict=True))
    if looks_at_relevance(measure, by_subtopic=False):
        relevant = qrels.grades[qrels.documents.rows] >= measure.settings.get("rel", 1)
        has_relevant = np.logical_or.reduceat(relevant, qrels.documents.offsets[:-1])
        for number in np.flatnonzero(~has_relevant):
            if without_relevant == "skip":
                del values[queries[number]]
            else:
                values[queries[number]] = float(without_relevant == "one")
    return values


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
    return _divided(_relevant(columns, cutoff, options), places)


def _recall(columns: JudgedColumns, cutoff: int | None, options: Options) -> Floats:
    return _divided(_relevant(columns, cutoff, options), _all_relevant(columns, options))


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


def _entropy(columns: JudgedColumns, cutoff: int | None, _: Options) -> Floats:
    return _entropies(columns, cutoff)[1]


def _ce(columns: JudgedColumns, cutoff: int | None, _: Options) -> Floats:
    return _entropies(columns, cutoff)[0]


def _nce(columns: JudgedColumns, cutoff: int | None, options: Options) -> Floats:
    types = _types_of(columns)
    return nce_of_arrays(
        types.ranked,
        columns.offsets,
        type_count=options["types"] or len(types.names),
        cutoff=cutoff,
        ideal=options["ideal"],
        supply=types.supply,
    )


_CALCULATIONS: dict[str, Callable[[JudgedColumns, int | None, Options], Floats]] = {
    "dcg": _dcg,
    "ndcg": _ndcg,
    "precision": _precision,
    "recall": _recall,
    "mrr": _mrr,
    "success": _success,
    "ap": _ap,
    "entropy": _entropy,
    "ce": _ce,
    "nce": _nce,
}
_AVERAGED = frozenset({"dcg", "ndcg", "precision", "recall"})  # those whose loops average ties


def _relevant(columns: JudgedColumns, cutoff: int | None, options: Options) -> Floats:
    relevant = (columns.grades >= options["rel"]).astype(np.float64)
    counts = np.arange(_depth(columns, cutoff) + 1, dtype=np.float64)
    return discounted_gains(relevant, columns.begins, columns.ends, columns.offsets, counts)


def _all_relevant(columns: JudgedColumns, options: Options) -> Floats:
    sums = np.concatenate(([0.0], np.cumsum(columns.judged >= options["rel"])))
    return np.diff(sums[columns.judged_offsets])


def _entropies(columns: JudgedColumns, cutoff: int | None) -> tuple[Floats, Floats]:
    types = _types_of(columns)
    depth = cutoff or max(1, types.ranked.size)
    return entropies_by_query(types.ranked, columns.offsets, len(types.names), depth)


def _types_of(columns: JudgedColumns) -> TypedColumns:
    if columns.types is None:
        raise UnsupportedFormat
    return columns.types


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
