"""``forebear evaluate``: how good is a run, by judgments?"""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from forebear.cli.options import JsonOption, talk
from forebear_lab.evaluation.conventions import Conventions
from forebear_lab.evaluation.evaluate import Evaluation
from forebear_lab.evaluation.evaluate_files import evaluate_files
from forebear_lab.evaluation.judgment_files import JudgmentFiles
from forebear_lab.evaluation.parse_measure import parse_measure
from forebear_lab.evaluation.tables import Table

MeasureOption = Annotated[
    list[str] | None,
    typer.Option("-m", "--measure", help="ndcg@100, nce@100(ideal=supply), ap, mrr, ..."),
]
TypesOption = Annotated[
    Path | None, typer.Option(help="A document and its type a line, for measures of diversity.")
]
TypeRunsOption = Annotated[
    Path | None, typer.Option(help="Or a folder of runs, one a type: TYPE.trec, TYPE.run.")
]
SubtopicsOption = Annotated[
    bool,
    typer.Option("--subtopics", help="The second column of the judgments is a subtopic."),
]
TiesOption = Annotated[
    Literal["docno", "average", "pessimistic", "given"],
    typer.Option(help="The order of equal scores; docno is trec_eval's."),
]
WithoutRelevantOption = Annotated[
    Literal["zero", "skip", "one"],
    typer.Option(help="What a query without a relevant document counts."),
]
FormatOption = Annotated[
    Literal["text", "json", "csv"], typer.Option("--format", help="How the answer is written.")
]
DEFAULT_MEASURES = ["ndcg@100"]


def evaluate(
    run: Annotated[Path, typer.Argument(help="A TREC run, plain or .gz.")],
    qrels: Annotated[Path, typer.Argument(help="TREC judgments, plain or .gz.")],
    measure: MeasureOption = None,
    types: TypesOption = None,
    type_runs: TypeRunsOption = None,
    subtopics: SubtopicsOption = False,
    ties: TiesOption = "docno",
    without_relevant: WithoutRelevantOption = "zero",
    per_query: Annotated[bool, typer.Option("--per-query", help="Every query too.")] = False,
    written: FormatOption = "text",
    as_json: JsonOption = False,
) -> None:
    """Measure a run against judgments."""
    conventions = Conventions(ties=ties, without_relevant=without_relevant)
    found = evaluate_files(
        run,
        JudgmentFiles(qrels=qrels, types=types, type_runs=type_runs, by_subtopic=subtopics),
        [parse_measure(text) for text in measure or DEFAULT_MEASURES],
        conventions=conventions,
        announce=talk.print,
    )
    value: dict[str, Any] = {
        "mean": found.means(),
        "query_counts": {str(m): len(values) for m, values in found.values.items()},
        "conventions": {"ties": ties, "without_relevant": without_relevant},
    }
    if per_query:
        value["queries"] = {str(m): dict(values) for m, values in found.values.items()}
    write_answer(value, _table(found, per_query=per_query), "json" if as_json else written)


def write_answer(value: object, table: Table, written: Literal["text", "json", "csv"]) -> None:
    """Write an answer to standard output in the form that was asked for."""
    if written == "json":
        print(json.dumps(value, ensure_ascii=False, indent=1))
    else:
        print(table.as_csv() if written == "csv" else table.as_text())


def _table(found: Evaluation, *, per_query: bool) -> Table:
    measures = tuple(found.values)
    names: dict[str, None] = {}
    for values in found.values.values() if per_query else ():
        names.update(dict.fromkeys(values))  # a measure may have skipped some
    rows = [
        (query, *(found.per_query(measure).get(query, "") for measure in measures))
        for query in names
    ]
    rows.append(("all", *(found.mean(measure) for measure in measures)))
    return Table(headings=("query", *map(str, measures)), rows=rows)
