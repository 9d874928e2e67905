"""Measure a run in large files: the twin of reading line by line and `evaluate`."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.announce import compilation_told
from forebear_lab.evaluation.conventions import Conventions, WithoutRelevant
from forebear_lab.evaluation.evaluate import Evaluation, looks_at_relevance
from forebear_lab.evaluation.judgment_files import JudgmentFiles
from forebear_lab.evaluation.large.judged_columns import JudgedColumns, judge_columns
from forebear_lab.evaluation.large.measure_columns import measure_columns
from forebear_lab.evaluation.large.run_columns import (
    QrelsColumns,
    read_qrels_columns,
    read_run_columns,
)
from forebear_lab.evaluation.large.text_columns import LeftToLines
from forebear_lab.evaluation.large.type_columns import (
    TypeColumns,
    read_type_columns,
    read_type_run_columns,
)
from forebear_lab.evaluation.measures.measure import Measure


def evaluate_large(
    run: Path,
    judgments: JudgmentFiles,
    measures: Sequence[Measure],
    conventions: Conventions,
    *,
    types_asked: bool,
    announce: Callable[[str], None],
) -> Evaluation | None:
    """Measure a run; None if the files hold something that only the reader by line knows.

    ``announce`` is told if loops have to be compiled.
    """
    try:
        with compilation_told(announce):
            types = _read_types(judgments) if types_asked else None
            return _evaluate(run, judgments, measures, conventions, types)
    except LeftToLines:
        return None


def _evaluate(
    run: Path,
    judgments: JudgmentFiles,
    measures: Sequence[Measure],
    conventions: Conventions,
    types: TypeColumns | None,
) -> Evaluation:
    qrels = read_qrels_columns(judgments.qrels)
    columns = judge_columns(read_run_columns(run), qrels, types, ties=conventions.ties)
    return Evaluation(
        values={
            measure: _by_query(measure, columns, qrels, conventions.without_relevant)
            for measure in measures
        }
    )


def _read_types(judgments: JudgmentFiles) -> TypeColumns:
    if judgments.type_runs:
        return read_type_run_columns(judgments.type_runs)
    if judgments.types:
        return read_type_columns(judgments.types)
    raise LeftToLines


def _by_query(
    measure: Measure,
    columns: JudgedColumns,
    qrels: QrelsColumns,
    without_relevant: WithoutRelevant,
) -> dict[str, float]:
    queries = qrels.judged.queries
    if not queries:
        raise LeftToLines  # nothing was judged
    values = dict.fromkeys(queries, 0.0)
    values.update(zip(columns.queries, measure_columns(measure, columns).tolist(), strict=True))
    if looks_at_relevance(measure, by_subtopic=False):
        for number in np.flatnonzero(~_has_relevant(measure, qrels)):
            if without_relevant == "skip":
                del values[queries[number]]
            else:
                values[queries[number]] = float(without_relevant == "one")
    return values


def _has_relevant(measure: Measure, qrels: QrelsColumns) -> NDArray[np.bool_]:
    relevant = qrels.grades[qrels.judged.rows] >= measure.settings.get("rel", 1)
    return np.logical_or.reduceat(relevant, qrels.judged.offsets[:-1])
