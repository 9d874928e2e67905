"""Where does an experiment's report go?  To standard output, to a folder, to a published page.

A published page names the command that made it, without what only says where files go.
"""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from forebear.cli.options import print_message

if TYPE_CHECKING:
    from forebear_lab.experiments.report.page import Page

OutOption = Annotated[
    Path | None,
    typer.Option(
        help="Folder for the page, the JSON and finished parts; nothing is written without it."
    ),
]


def _check_page(path: Path | None) -> Path | None:
    """Refuse a name before hours of work, not after."""
    from forebear_lab.experiments.report.markdown import check_page_name

    if path is not None:
        check_page_name(path)
    return path


PublishOption = Annotated[
    Path | None,
    typer.Option(
        metavar="PAGE.md",
        callback=_check_page,
        help="Also write a Markdown page with plots beside it, and the README.md of its folder.",
    ),
]
_PLACES = frozenset(["out", "publish", "as_json", "list_parts"])  # options that say where, not what


class Report(Protocol):
    """A report of an experiment."""

    def page(self) -> "Page":
        """Return the page."""
        ...

    def write(self, out: Path) -> tuple[Path, Path]:
        """Write page and JSON; return where they are."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """The folder, the published page and the format of standard output, as options say."""

    context: typer.Context  # of the command
    out: Path | None
    publish: Path | None
    as_json: bool

    @contextmanager
    def work_folder(self) -> Iterator[Path]:
        """Yield the folder for data and finished parts; without ``--out`` it is removed again."""
        if self.out:
            yield self.out
        else:
            with TemporaryDirectory(prefix="forebear-experiment-") as folder:
                yield Path(folder)

    def write(self, report: Report, name: str = "") -> None:
        """Write a report to the folder, or to a folder of this name in it."""
        if self.out:
            page, values = report.write(self.out / name)
            print_message(f"written: {page} and {values}")

    def publish_page(self, page: "Page") -> None:
        """Write the published page, if one is named, and the index of its folder."""
        from forebear_lab.experiments.parts import describe_machine, today
        from forebear_lab.experiments.report.index import write_index
        from forebear_lab.experiments.report.markdown import Origin, publish_page

        if self.publish:
            origin = Origin(
                command=command_line(self.context), date=today(), machine=describe_machine()
            )
            publish_page(page, self.publish, origin)
            write_index(self.publish.parent)
            print_message(f"published: {self.publish}")


def command_line(context: typer.Context) -> str:
    """Return a command with the options that were given, but for those of places."""
    words = ["forebear", "experiment", context.info_name or ""]
    for option in context.command.params:
        name = option.name or ""
        source = context.get_parameter_source(name)
        if name in _PLACES or source is None or source.name != "COMMANDLINE":
            continue
        value = context.params[name]
        if isinstance(value, bool):
            words.append(option.opts[0])
        else:
            for one in value if isinstance(value, list | tuple) else [value]:
                words += [option.opts[0], str(one)]
    return shlex.join(words)
