"""``forebear log export``: the judged searches of an archive, for other tools."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    open_archive,
    print_message,
    print_result,
)
from forebear.errors import InputError

# FORMATS, which loads numpy, and the engine's ubi.
Format = Literal["letor", "npz", "trec", "jsonl", "qrels", "ubi"]


def export(
    file_format: Annotated[Format, typer.Option("--format", help="What other tools are to read.")],
    out: Annotated[Path, typer.Option(help="Folder for the files.")],
    path: ArchiveOption = None,
    model: Annotated[
        str | None, typer.Option(help="Version of the model that scores the lists.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the searches with attachments as files for other tools.

    letor and npz: the clauses of each list's records. trec: runs and judgments. qrels: judgments
    alone. jsonl: everything, with the queries. Searches logged with other clauses are repeated.
    ubi: the whole log as UBI 1.3.0, as it is, for other programs and for `forebear log import`.
    """
    if file_format == "ubi":
        if model is not None:
            raise InputError("--format ubi has no scores", hint="leave --model out")
        _export_log(path, out, as_json=as_json)
        return
    from forebear_lab.learning.export import export_searches

    with open_archive(path) as archive:
        log = archive.current_log(progress=print_message)
        files = export_searches(log.judged, archive.model(model), file_format, out)
    searches = sum(bool(search.attached) for search in log.judged)
    value = {
        "searches": searches,
        "repeated": log.repeated,
        "skipped": log.skipped,
        "files": [str(file) for file in files],
    }
    lines = [
        f"{searches:,} searches with attachments written to {len(files):,} files; "
        f"{log.repeated:,} repeated, {log.skipped:,} skipped",
        *map(str, files),
    ]
    print_result(value, as_json, lambda: "\n".join(lines))


def _export_log(path: Path | None, out: Path, *, as_json: bool) -> None:
    with open_archive(path) as archive:
        searches, actions = archive.export_log(out)
    print_result(
        {"searches": searches, "actions": actions, "folder": str(out)},
        as_json,
        lambda: f"{searches:,} searches and {actions:,} actions written to {out}",
    )
