"""How good is a run, given as files?

Small files are read line by line.  Large ones go through arrays and compiled loops, which
give the same values and leave whatever they do not know to the reader by line; so an error
is the same error, whatever the size.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from forebear.trec import read_qrels, read_run
from forebear_lab.evaluation.conventions import TREC_EVAL, Conventions
from forebear_lab.evaluation.diversity_qrels import read_diversity_qrels
from forebear_lab.evaluation.document_types import (
    DocumentTypes,
    read_type_runs,
    read_types,
    type_run_files,
)
from forebear_lab.evaluation.evaluate import Evaluation, check_inputs, evaluate, looks_at_types
from forebear_lab.evaluation.judgment_files import JudgmentFiles
from forebear_lab.evaluation.large.sizes import is_large
from forebear_lab.evaluation.measures.measure import Measure


def evaluate_files(
    run: Path,
    judgments: JudgmentFiles,
    measures: Sequence[Measure],
    *,
    conventions: Conventions = TREC_EVAL,
    announce: Callable[[str], None] | None = None,
) -> Evaluation:
    """Measure a run in a file; ``announce`` is told if loops have to be compiled first."""
    by_subtopic = _reads_subtopics(judgments, measures)
    known = bool(judgments.types or judgments.type_runs)
    check_inputs(measures, types_known=known, by_subtopic=by_subtopic)
    asked = any(looks_at_types(measure, by_subtopic=by_subtopic) for measure in measures)
    if not by_subtopic and is_large(*_files(run, judgments, types_asked=asked)):
        from forebear_lab.evaluation.large.evaluate_large import evaluate_large  # loads numba

        found = evaluate_large(
            run, judgments, measures, conventions, types_asked=asked, announce=announce or _ignore
        )
        if found is not None:
            return found
    read = read_diversity_qrels if by_subtopic else read_qrels
    types = _read_types(judgments) if asked else None
    return evaluate(read_run(run), read(judgments.qrels), measures, types, conventions=conventions)


def _reads_subtopics(judgments: JudgmentFiles, measures: Sequence[Measure]) -> bool:
    covers = any("aspects" in measure.definition.looks_at for measure in measures)
    return judgments.by_subtopic or (covers and not judgments.types and not judgments.type_runs)


def _files(run: Path, judgments: JudgmentFiles, *, types_asked: bool) -> list[Path]:
    files = [run, judgments.qrels]
    if types_asked and judgments.types:
        files.append(judgments.types)
    if types_asked and judgments.type_runs:
        files += type_run_files(judgments.type_runs).values()
    return files


def _read_types(judgments: JudgmentFiles) -> DocumentTypes | None:
    if judgments.type_runs:
        return read_type_runs(judgments.type_runs)
    return DocumentTypes.of(read_types(judgments.types)) if judgments.types else None


def _ignore(_: str) -> None:
    pass
