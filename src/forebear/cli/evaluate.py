"""``forebear evaluate``: how good is a run, by judgments?"""

from pathlib import Path
from typing import Annotated, Any

import typer

from forebear.cli.options import JsonOption, answer
from forebear.evaluation.document_types import read_types
from forebear.evaluation.evaluate import Evaluation
from forebear.evaluation.evaluate import evaluate as evaluate_run
from forebear.evaluation.parse_measure import parse_measure
from forebear.evaluation.qrels import read_qrels
from forebear.evaluation.runs import read_run


def evaluate(
    run: Annotated[Path, typer.Argument(help="A TREC run, plain or .gz.")],
    qrels: Annotated[Path, typer.Argument(help="TREC judgments, plain or .gz.")],
    measure: Annotated[
        list[str] | None, typer.Option("-m", "--measure", help="ndcg@100, nce@100, mrr, ...")
    ] = None,
    types: Annotated[
        Path | None, typer.Option(help="A document and its type a line, for nce.")
    ] = None,
    per_query: Annotated[bool, typer.Option("--per-query", help="Every query too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure a run against judgments."""
    measures = [parse_measure(text) for text in measure or ["ndcg@100"]]
    found = evaluate_run(
        read_run(run), read_qrels(qrels), measures, read_types(types) if types else None
    )
    answer(_value(found, per_query), as_json, lambda: _text(found, per_query))


def _value(found: Evaluation, per_query: bool) -> dict[str, Any]:
    value: dict[str, Any] = {"mean": found.means()}
    if per_query:
        value["queries"] = {str(m): dict(values) for m, values in found.values.items()}
    return value


def _text(found: Evaluation, per_query: bool) -> str:
    lines = []
    if per_query:
        for measure, values in found.values.items():
            lines += [f"{query}\t{measure}\t{value:.4f}" for query, value in values.items()]
    lines += [f"all\t{measure}\t{value:.4f}" for measure, value in found.means().items()]
    return "\n".join(lines)
