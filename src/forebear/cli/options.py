"""What many commands take: the archive, who is looking, and how the answer is written."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from forebear.errors import InputError
from forebear.settings import ARCHIVE_VARIABLE, archive_from_environment

ArchiveOption = Annotated[
    Path | None,
    typer.Option("--archive", help=f"The archive's file (or set {ARCHIVE_VARIABLE})."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write the answer as JSON.")]
ViewerOption = Annotated[
    Literal["owner", "public"],
    typer.Option("--viewer", help="Look as the owner, or as the public would."),
]

if TYPE_CHECKING:
    from rich.console import Console

    talk: Console


def __getattr__(name: str) -> Any:
    """Make ``talk``, the console on standard error, for those who talk: rich is slow to load."""
    if name != "talk":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rich.console import Console

    console = globals()["talk"] = Console(stderr=True, highlight=False, soft_wrap=True)
    return console


def archive_path(given: Path | None) -> Path:
    """Return which archive a command is about."""
    path = given or archive_from_environment()
    if path is None:
        raise InputError("which archive?", hint=f"give --archive PATH or set {ARCHIVE_VARIABLE}")
    return path


def print_notices(notices: Sequence[str]) -> None:
    """Write to standard error what to do about the archive; nothing is wrong with the answer."""
    for notice in notices:
        print(f"notice: {notice}", file=sys.stderr)


def answer(value: object, as_json: bool, as_text: Callable[[], str]) -> None:
    """Write an answer to standard output."""
    print(json.dumps(value, ensure_ascii=False, indent=1) if as_json else as_text())
