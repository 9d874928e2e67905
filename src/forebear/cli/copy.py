"""``forebear copy``: everything from one archive to another, whatever either lives in."""

from pathlib import Path
from typing import Annotated

import typer

from forebear.archive import open_archive
from forebear.cli.options import JsonOption, answer
from forebear.errors import StorageError
from forebear.storage.copy import digest_contents


def copy(
    source: Annotated[Path, typer.Argument(help="The archive to copy from.")],
    target: Annotated[Path, typer.Argument(help="The archive to copy to; `init` makes it.")],
    as_json: JsonOption = False,
) -> None:
    """Copy records, searches, models and trees from one archive to another, and compare."""
    with open_archive(source) as old, open_archive(target) as new:
        report = old.copy_to(new)
        digests = [digest_contents(each.contents()) for each in (old, new)]
    if digests[0] != digests[1]:
        raise StorageError(
            f"{target} does not hold what {source} holds",
            hint="it had records of its own, or one of them changed meanwhile; copy again",
        )
    value = {
        "collections": report.collections,
        "records": report.records,
        "digest": digests[0],
    }
    told = f"{report.records:,} records of {report.collections} collections, the same on both ends"
    answer(value, as_json, lambda: told)
