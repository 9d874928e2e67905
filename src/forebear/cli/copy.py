"""``forebear copy``: everything from one archive to another, whatever either lives in."""

from pathlib import Path
from typing import Annotated

import typer

from forebear.archive import open_archive
from forebear.cli.options import JsonOption, answer


def copy(
    source: Annotated[Path, typer.Argument(help="The archive to copy from.")],
    target: Annotated[Path, typer.Argument(help="The archive to copy to; `init` makes it.")],
    as_json: JsonOption = False,
) -> None:
    """Copy records, searches, models and trees from one archive to another, and compare."""
    with open_archive(source) as old, open_archive(target) as new:
        report = old.copy_to(new)
    value = {
        "collections": report.collections,
        "records": report.records,
        "digest": report.digest,
    }
    told = f"{report.records:,} records of {report.collections} collections, the same on both ends"
    answer(value, as_json, lambda: told)
