"""``forebear delete``: an archive and all that it holds, gone for good."""

from pathlib import Path
from typing import Annotated

import typer

from forebear.archive import open_archive
from forebear.cli.options import talk
from forebear.errors import InputError


def delete(
    path: Annotated[Path, typer.Argument(help="The archive's file.")],
    yes: Annotated[bool, typer.Option("--yes", help="Yes, with all its records.")] = False,
) -> None:
    """Delete an archive: its file, and all that it has in a cluster."""
    if not yes:
        raise InputError(
            f"{str(path)!r} would be deleted with all its records, searches and models",
            hint="if you mean it, add --yes",
        )
    with open_archive(path) as archive:
        archive.delete()
    talk.print(f"deleted {path}")
