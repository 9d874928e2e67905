"""``forebear compare``: which of several runs is better, and is it more than chance?"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from forebear.cli.options import JsonOption, talk
from forebear.errors import InputError
from forebear_lab.cli.evaluate import (
    DEFAULT_MEASURES,
    FormatOption,
    MeasureOption,
    SubtopicsOption,
    TiesOption,
    TypeRunsOption,
    TypesOption,
    WithoutRelevantOption,
    write_answer,
)
from forebear_lab.evaluation.compare_runs import RunComparison, compare_runs
from forebear_lab.evaluation.conventions import Conventions
from forebear_lab.evaluation.evaluate_files import evaluate_files
from forebear_lab.evaluation.judgment_files import JudgmentFiles
from forebear_lab.evaluation.parse_measure import parse_measure
from forebear_lab.evaluation.query_groups import read_groups
from forebear_lab.evaluation.tables import Table


def compare(
    runs: Annotated[list[Path], typer.Argument(help="Two or more TREC runs, plain or .gz.")],
    qrels: Annotated[Path, typer.Option(help="TREC judgments, plain or .gz.")],
    measure: MeasureOption = None,
    types: TypesOption = None,
    type_runs: TypeRunsOption = None,
    subtopics: SubtopicsOption = False,
    groups: Annotated[
        Path | None, typer.Option(help="A query and its group a line; groups are drawn whole.")
    ] = None,
    pairs: Annotated[
        Literal["first", "all"], typer.Option(help="Each run with the first, or all pairs.")
    ] = "first",
    ties: TiesOption = "docno",
    without_relevant: WithoutRelevantOption = "zero",
    resamples: Annotated[int, typer.Option(help="How often chance is tried.")] = 10_000,
    confidence: Annotated[float, typer.Option(help="Of the interval.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Of chance.")] = 1,
    written: FormatOption = "text",
    as_json: JsonOption = False,
) -> None:
    """Compare runs on the same judgments: intervals by paired bootstrap, tests with Holm."""
    names = _names(runs)
    measures = [parse_measure(text) for text in measure or DEFAULT_MEASURES]
    judgments = JudgmentFiles(qrels=qrels, types=types, type_runs=type_runs, by_subtopic=subtopics)
    conventions = Conventions(ties=ties, without_relevant=without_relevant)
    group_of = read_groups(groups) if groups else None
    evaluations = {
        name: evaluate_files(run, judgments, measures, conventions=conventions, announce=talk.print)
        for name, run in zip(names, runs, strict=True)
    }
    found = compare_runs(
        evaluations,
        measures,
        seed=seed,
        resamples=resamples,
        confidence=confidence,
        groups=group_of,
        pairs=pairs,
    )
    value = {
        "comparisons": [_value(each) for each in found],
        "conventions": {"ties": ties, "without_relevant": without_relevant},
        "resamples": resamples,
        "seed": seed,
    }
    write_answer(value, _table(found), "json" if as_json else written)


def _names(runs: Sequence[Path]) -> list[str]:
    """Return a name for each run: its file's, with as many folders as tell them apart."""
    for parts in range(1, max(len(run.parts) for run in runs) + 1):
        names = ["/".join(run.parts[-parts:]) for run in runs]
        if len(set(names)) == len(names):
            return names
    twice = next(run for run in runs if runs.count(run) > 1)
    raise InputError(f"run {str(twice)!r} is given twice; a run cannot be compared with itself")


def _value(found: RunComparison) -> dict[str, Any]:
    return {
        "measure": str(found.measure),
        "before": found.before,
        "after": found.after,
        "mean_before": found.mean_before,
        "mean_after": found.mean_after,
        "difference": found.comparison.difference,
        "low": found.comparison.low,
        "high": found.comparison.high,
        "confidence": found.comparison.confidence,
        "p_value": found.p_value,
        "holm_p_value": found.adjusted_p_value,
        "decided": found.decided,
        "queries": found.comparison.query_count,
        "groups": found.comparison.group_count or None,
    }


def _table(found: Sequence[RunComparison]) -> Table:
    return Table(
        headings=(
            *("measure", "before", "after", "mean_before", "mean_after"),
            *("difference", "low", "high", "p_value", "holm_p_value", "decided"),
        ),
        rows=[
            (
                *(str(each.measure), each.before, each.after, each.mean_before, each.mean_after),
                *(each.comparison.difference, each.comparison.low, each.comparison.high),
                *(each.p_value, each.adjusted_p_value, "yes" if each.decided else "no"),
            )
            for each in found
        ],
    )
