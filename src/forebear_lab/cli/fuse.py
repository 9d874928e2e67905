"""``forebear fuse``: lists into one, by a learned model."""

from pathlib import Path
from typing import Annotated

import typer

from forebear.cli.options import JsonOption, answer, talk
from forebear.errors import InputError


def fuse(
    lists: Annotated[list[Path], typer.Argument(help="TREC runs, one a list.")],
    model: Annotated[Path, typer.Option(help="What `forebear learn fusion` wrote.")],
    run: Annotated[Path, typer.Option(help="Where to write the fused TREC run.")],
    facts: Annotated[
        Path | None, typer.Option(help="A query and its facts a line, if the model asks for them.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Documents of each query.")] = 100,
    decay: Annotated[
        float,
        typer.Option(min=0.0, help="Bits lost by each document for each before it in its list."),
    ] = 0.0,
    as_json: JsonOption = False,
) -> None:
    """Fuse lists into one run, each moved as the model says."""
    # What fuses is loaded when the command runs: it takes a second.
    from forebear.learning.query_facts import read_facts
    from forebear.trec import read_run, write_run
    from forebear_lab.learning.fuse import fuse_runs
    from forebear_lab.learning.fusion_model_json import fusion_model_from_json
    from forebear_lab.learning.read_fusion import list_name

    names = [list_name(path) for path in lists]
    if len(set(names)) != len(names):
        raise InputError(f"two lists have one name: {', '.join(sorted(names))}")
    if not model.is_file():
        raise InputError(f"there is no model {str(model)!r}")
    learned = fusion_model_from_json(model.read_text("utf-8"), where=str(model))
    fused = fuse_runs(
        {name: read_run(path) for name, path in zip(names, lists, strict=True)},
        learned,
        facts=read_facts(facts) if facts else None,
        top=top,
        decay=decay,
    )
    write_run(fused, run)
    documents = sum(len(found) for found in fused.scores.values())
    talk.print(f"{len(fused.scores)} queries, {documents} documents in {run}")
    value = {"queries": len(fused.scores), "documents": documents, "run": str(run)}
    answer(value, as_json, lambda: f"queries\t{len(fused.scores)}\ndocuments\t{documents}")
