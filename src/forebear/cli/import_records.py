"""``forebear import``: files become records, and a corrected file what it changes of them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from forebear.archive import open_archive
from forebear.cli.options import ArchiveOption, JsonOption, answer, archive_path, talk
from forebear.cli.refused_rows import RefusedRows
from forebear.ingest.report import Progress


def import_records(
    files: Annotated[
        list[Path], typer.Argument(help="Tables, GEDCOM, Gramps, A2A, JSON lines or text.")
    ],
    archive: ArchiveOption = None,
    mapping: Annotated[
        str | None,
        typer.Option(help="A mapping file, or the name of a built-in one; else recognized."),
    ] = None,
    collection: Annotated[
        str | None, typer.Option(help="Name of the collection, instead of the mapping's.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Report only, write nothing.")] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Even if most records of the file before go.")
    ] = False,
    refused: Annotated[
        Path | None, typer.Option(help="Write the refused rows to this CSV file.")
    ] = None,
    shown: Annotated[int, typer.Option(help="Warnings and refusals listed of each file.")] = 5,
    as_json: JsonOption = False,
) -> None:
    """Import files, or what they change if they are known, and report on every row."""
    reports = []
    rows = RefusedRows(files)
    with open_archive(archive_path(archive)) as opened:
        for path in files:
            with _bar(path.name) as tell:
                report = opened.import_file(
                    path,
                    mapping=mapping,
                    collection=collection,
                    dry_run=dry_run,
                    replace=replace,
                    progress=tell,
                    refused=partial(rows.add, path),
                )
            reports.append(report)
            if not as_json:
                print(report.to_text(shown=shown))
    if refused is not None:
        rows.write(refused)
    if as_json:
        answer([report.to_dict() for report in reports], True, str)


@contextmanager
def _bar(name: str) -> Iterator[Callable[[Progress], None]]:
    """Show a bar on standard error, where somebody watches, for as long as the work lasts."""
    bar = Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[rate]:,.0f} rows/s"),
        TimeRemainingColumn(),
        console=talk,
        transient=True,
        disable=not talk.is_terminal,
    )
    task = bar.add_task(name, total=1.0, rate=0.0)
    with bar:
        yield lambda progress: bar.update(task, completed=progress.share, rate=progress.rate)
