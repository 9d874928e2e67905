"""``forebear evaluate`` and ``compare``: how good is a run, and which of several is better?

A small file is evaluated without numerical libraries, which take longer to load than it takes to
read; so the modules of a comparison are imported when a comparison runs.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from forebear.cli.options import JsonOption, grouped, print_message, require_finite
from forebear.errors import InputError
from forebear_lab.evaluation.evaluate import Conventions, Evaluation, evaluate_files
from forebear_lab.evaluation.files import JudgmentFiles, read_groups
from forebear_lab.evaluation.measures.measure import parse_measure
from forebear_lab.evaluation.tables import Table

if TYPE_CHECKING:
    from forebear_lab.evaluation.compare import RunComparison

MeasureOption = Annotated[
    list[str] | None,
    typer.Option("-m", "--measure", help="ndcg@100, nce@100(ideal=supply), ap, mrr, ..."),
]
OutputFormat = Literal["text", "json", "csv"]
FormatOption = Annotated[OutputFormat, typer.Option("--format", help="The format of the output.")]
DEFAULT_MEASURES = ["ndcg@100"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentOptions:
    """What documents are about, for measures of diversity."""

    types: Annotated[
        Path | None,
        typer.Option(help="A document and its type a line, for measures of diversity."),
    ] = None
    type_runs: Annotated[
        Path | None, typer.Option(help="Or a folder of runs, one a type: TYPE.trec, TYPE.run.")
    ] = None
    subtopics: Annotated[
        bool,
        typer.Option("--subtopics", help="The second column of the judgments is a subtopic."),
    ] = False

    def judgments(self, qrels: Path) -> JudgmentFiles:
        """Return the files that a run is judged by."""
        return JudgmentFiles(
            qrels=qrels, types=self.types, type_runs=self.type_runs, by_subtopic=self.subtopics
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConventionOptions:
    """What tools differ in."""

    ties: Annotated[
        Literal["docno", "average", "pessimistic", "given"],
        typer.Option(help="The order of equal scores; docno is trec_eval's."),
    ] = "docno"
    without_relevant: Annotated[
        Literal["zero", "skip", "one"],
        typer.Option(help="What a query without a relevant document counts."),
    ] = "zero"

    def conventions(self) -> Conventions:
        """Return the conventions of an evaluation."""
        return Conventions(ties=self.ties, without_relevant=self.without_relevant)


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleOptions:
    """The random samples of a comparison."""

    resamples: Annotated[int, typer.Option(help="Number of random samples.")] = 10_000
    confidence: Annotated[float, typer.Option(help="Of the interval.", callback=require_finite)] = (
        0.95
    )
    seed: Annotated[int, typer.Option(help="Of the random samples.")] = 1


@grouped
def evaluate(
    *,
    run: Annotated[Path, typer.Argument(help="A TREC run, plain or .gz.")],
    qrels: Annotated[Path, typer.Argument(help="TREC judgments, plain or .gz.")],
    measure: MeasureOption = None,
    documents: DocumentOptions,
    tools: ConventionOptions,
    per_query: Annotated[bool, typer.Option("--per-query", help="Every query too.")] = False,
    output: FormatOption = "text",
    as_json: JsonOption = False,
) -> None:
    """Measure a run against judgments."""
    evaluation = evaluate_files(
        run,
        documents.judgments(qrels),
        [parse_measure(text) for text in measure or DEFAULT_MEASURES],
        conventions=tools.conventions(),
        announce=print_message,
    )
    value: dict[str, Any] = {
        "mean": evaluation.means(),
        "query_counts": {str(m): len(values) for m, values in evaluation.values.items()},
        "conventions": asdict(tools),
    }
    if per_query:
        value["queries"] = {str(m): dict(values) for m, values in evaluation.values.items()}
    table = _evaluation_table(evaluation, per_query=per_query)
    _print_result(value, table, "json" if as_json else output)


@grouped
def compare(
    *,
    runs: Annotated[list[Path], typer.Argument(help="Two or more TREC runs, plain or .gz.")],
    qrels: Annotated[Path, typer.Option(help="TREC judgments, plain or .gz.")],
    measure: MeasureOption = None,
    documents: DocumentOptions,
    groups: Annotated[
        Path | None, typer.Option(help="A query and its group a line; groups are sampled whole.")
    ] = None,
    pairs: Annotated[
        Literal["first", "all"], typer.Option(help="Each run with the first, or all pairs.")
    ] = "first",
    tools: ConventionOptions,
    samples: SampleOptions,
    output: FormatOption = "text",
    as_json: JsonOption = False,
) -> None:
    """Compare runs on the same judgments, with tests.

    Intervals are by paired bootstrap; tests of several runs are corrected by Holm's method.
    """
    names = _names(runs)
    measures = [parse_measure(text) for text in measure or DEFAULT_MEASURES]
    judgments, conventions = documents.judgments(qrels), tools.conventions()
    group_of = read_groups(groups) if groups else None
    evaluations = {
        name: evaluate_files(
            run, judgments, measures, conventions=conventions, announce=print_message
        )
        for name, run in zip(names, runs, strict=True)
    }
    from forebear_lab.evaluation.compare import compare_runs

    comparisons = compare_runs(
        evaluations,
        measures,
        groups=group_of,
        pairs=pairs,
        **asdict(samples),
    )
    value = {
        "comparisons": [_comparison_value(comparison) for comparison in comparisons],
        "conventions": asdict(tools),
        "resamples": samples.resamples,
        "seed": samples.seed,
    }
    _print_result(value, _comparison_table(comparisons), "json" if as_json else output)


def _print_result(value: object, table: Table, output: OutputFormat) -> None:
    if output == "json":
        print(json.dumps(value, ensure_ascii=False, indent=1))
    else:
        print(table.as_csv() if output == "csv" else table.as_text())


def _evaluation_table(evaluation: Evaluation, *, per_query: bool) -> Table:
    measures = tuple(evaluation.values)
    queries: dict[str, None] = {}
    for values in evaluation.values.values() if per_query else ():
        queries.update(dict.fromkeys(values))  # a measure may have skipped queries
    rows = [
        (query, *(evaluation.per_query(measure).get(query, "") for measure in measures))
        for query in queries
    ]
    rows.append(("all", *(evaluation.mean(measure) for measure in measures)))
    return Table(headings=("query", *map(str, measures)), rows=rows)


def _names(runs: Sequence[Path]) -> list[str]:
    """Return the file name of each run, with as many folders as make it unique."""
    for parts in range(1, max(len(run.parts) for run in runs) + 1):
        names = ["/".join(run.parts[-parts:]) for run in runs]
        if len(set(names)) == len(names):
            return names
    twice = next(run for run in runs if runs.count(run) > 1)
    raise InputError(f"run {str(twice)!r} is given twice; a run cannot be compared with itself")


def _comparison_value(result: "RunComparison") -> dict[str, Any]:
    return {
        "measure": str(result.measure),
        "before": result.before,
        "after": result.after,
        "mean_before": result.mean_before,
        "mean_after": result.mean_after,
        "difference": result.comparison.difference,
        "low": result.comparison.low,
        "high": result.comparison.high,
        "confidence": result.comparison.confidence,
        "p_value": result.p_value,
        "holm_p_value": result.adjusted_p_value,
        "decided": result.decided,
        "queries": result.comparison.query_count,
        "groups": result.comparison.group_count or None,
    }


_COMPARISON_COLUMNS = (
    *("measure", "before", "after", "mean_before", "mean_after"),
    *("difference", "low", "high", "p_value", "holm_p_value"),
)


def _comparison_table(comparisons: "Sequence[RunComparison]") -> Table:
    rows = []
    for comparison in comparisons:
        value = _comparison_value(comparison)
        decided = "yes" if comparison.decided else "no"
        rows.append((*(value[column] for column in _COMPARISON_COLUMNS), decided))
    return Table(headings=(*_COMPARISON_COLUMNS, "decided"), rows=rows)
