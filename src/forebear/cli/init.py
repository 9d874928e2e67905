"""``forebear init``: make an empty archive."""

from pathlib import Path
from typing import Annotated

import typer

from forebear.archive import create_archive
from forebear.cli.options import talk


def init(path: Annotated[Path, typer.Argument(help="The file to make.")]) -> None:
    """Make an empty archive."""
    create_archive(path)
    talk.print(f"made {path}")
