"""Which options do many commands share, and how do commands print?

Options that belong together are the fields of one dataclass: `grouped` makes them options of a
command that takes the dataclass.
"""

import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, Literal, get_origin, get_type_hints

import typer

import forebear
from forebear.errors import InputError
from forebear.printing import printable
from forebear.settings import ARCHIVE_VARIABLE, archive_from_environment

ArchiveOption = Annotated[
    Path | None,
    typer.Option("--archive", help=f"The archive's file (or set {ARCHIVE_VARIABLE})."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ViewerOption = Annotated[
    Literal["owner", "public"],
    typer.Option("--viewer", help="See all records, or only what the public may see."),
]


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with an option for each field of the dataclasses that it takes."""
    groups: dict[str, Any] = {
        name: parameter.annotation
        for name, parameter in signature(command).parameters.items()
        if is_dataclass(parameter.annotation)
    }

    @wraps(command)
    def run(**values: Any) -> None:
        for name, group in groups.items():
            given = {field.name for field in fields(group)} & values.keys()
            values[name] = group(**{field: values.pop(field) for field in given})
        command(**values)

    parameters: list[Parameter] = []
    for name, parameter in signature(command).parameters.items():
        if name in groups:
            parameters += _options_of(groups[name])
        else:
            parameters.append(parameter.replace(kind=Parameter.KEYWORD_ONLY))
    run.__signature__ = signature(command).replace(parameters=parameters)  # type: ignore[attr-defined]
    return run


def _options_of(group: type) -> Iterator[Parameter]:
    types = get_type_hints(group, include_extras=True)
    for field in fields(group):
        if get_origin(types[field.name]) is not Annotated:
            continue  # what the program adds
        yield Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=field.default,
            annotation=types[field.name],
        )


def require_finite(value: float | None) -> float | None:
    """Refuse "nan" and "inf", which Python reads as numbers and no limit on an option stops."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is not a number to compute with")
    return value


def archive_path(path: Path | None) -> Path:
    """Return the path that was given, or that of the environment."""
    path = path or archive_from_environment()
    if path is None:
        raise InputError("which archive?", hint=f"give --archive PATH or set {ARCHIVE_VARIABLE}")
    return path


def open_archive(
    path: Path | None, viewer: Literal["owner", "public"] = "owner"
) -> forebear.Archive:
    """Open the archive of a command."""
    return forebear.open(archive_path(path), viewer=viewer)


def print_result(value: object, as_json: bool, as_text: Callable[[], str]) -> None:
    """Write a result to standard output, as JSON or as text."""
    text = to_json(value, indent=1) if as_json else printable(as_text())
    if text:
        print(text)


def to_json(value: object, *, indent: int | None = None) -> str:
    """Return a value as JSON, escaped where standard output cannot print every character."""
    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    return json.dumps(value, ensure_ascii=not is_utf8, indent=indent)


def print_message(message: str) -> None:
    """Write a message to standard error; long values in errors are shortened before."""
    print(printable(message), file=sys.stderr)


def print_notices(notices: Sequence[str]) -> None:
    """Write to standard error what to do about the archive; the result is right all the same."""
    for notice in notices:
        print_message(f"notice: {notice}")


def write_file(path: Path, text: str) -> None:
    """Write a file that an option names."""
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from None


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[float, str], None]]:
    """Show a bar in a terminal; what it gives is called with the share done and a note."""
    from rich.console import Console  # late: rich is slow to load
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    task = bar.add_task(title, total=1.0, note="")
    with bar:
        yield lambda share, note: bar.update(task, completed=share, note=note)
