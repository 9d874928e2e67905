"""How is an experiment published?  As a Markdown page with plots beside it.

`docs/results/fusion.md` has its plots in `docs/results/fusion/`.  What differs from run to run
although the seed is the same (time, date, machine) is in separate sections, so the other sections
of two runs can be compared.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from forebear import __version__
from forebear.errors import InputError
from forebear_lab.evaluation.tables import Cell, Table
from forebear_lab.experiments.report.page import SIMULATED, Page, Section

INDEX = "README.md"
ORIGIN_HEADING = "How this page was made"
PREVIEW = "> **Preview.**"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The command that made a page, the day, and the machine without its name."""

    command: str
    date: str
    machine: str


def check_page_name(path: Path) -> None:
    """Refuse a name that a published page cannot have."""
    if path.suffix != ".md" or path.name == INDEX:
        raise InputError(
            f"{path} cannot be a published page", hint="name a file such as docs/results/fusion.md"
        )


def publish_page(page: Page, path: Path, origin: Origin) -> None:
    """Write a page with its plots."""
    check_page_name(path)
    plots = [plot for section in page.sections for plot in section.plots]
    names = _write_plots(plots, path.with_suffix(""))
    parts = [f"# {page.title}", *_notices(page)]
    for section in page.sections:
        parts += _section(section, [f"{path.stem}/{names.pop(0)}" for _ in section.plots])
    parts += _origin(page, origin)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join(parts) + "\n", "utf-8")


def markdown_table(table: Table) -> str:
    """Return a table in Markdown, numbers to four decimals and to the right.

    >>> print(markdown_table(Table(headings=("query", "ndcg@10"), rows=[("q|1", 0.5)])))
    | query | ndcg@10 |
    |---|---:|
    | q\\|1 | 0.5000 |
    """
    columns = range(len(table.headings))
    right = [any(not isinstance(row[n], str) for row in table.rows) for n in columns]
    lines = [
        _row(table.headings),
        "|" + "|".join("---:" if is_number else "---" for is_number in right) + "|",
        *map(_row, table.rows),
    ]
    return "\n".join(lines)


def _notices(page: Page) -> list[str]:
    notices = [f"> **Simulated.** {SIMULATED}"] if page.simulated else []
    return [*notices, f"{PREVIEW} {page.preview}"] if page.preview else notices


def _section(section: Section, files: Sequence[str]) -> list[str]:
    parts = [f"## {section.title}", *map(_escape, section.sentences)]
    if section.table and section.table.rows:
        parts.append(markdown_table(section.table))
    plots = zip(section.plots, files, strict=True)
    images = [f"![{_plot_title(plot)}]({file})" for plot, file in plots]
    return [*parts, "\n".join(images)] if images else parts


def _origin(page: Page, origin: Origin) -> list[str]:
    rows = [
        ("command", f"`{origin.command}`"),
        ("seed", "none: nothing is random" if page.seed is None else str(page.seed)),
        ("date", origin.date),
        ("machine", origin.machine),
        ("version", f"forebear {__version__}"),
    ]
    return [f"## {ORIGIN_HEADING}", markdown_table(Table(headings=("", ""), rows=rows))]


def _write_plots(plots: Sequence[str], folder: Path) -> list[str]:
    """Write plots to files, remove those of an earlier run, and return the names."""
    for old in folder.glob("*.svg"):
        old.unlink()
    names = []
    for number, plot in enumerate(plots, 1):
        words = re.findall(r"[a-z0-9]+", _plot_title(plot).lower())
        names.append(f"{number:02d}-{'-'.join(words)[:40]}.svg")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / names[-1]).write_text(plot + "\n", "utf-8")
    return names


def _plot_title(plot: str) -> str:
    title = re.search(r"<title>(.*?)</title>", plot)
    return unescape(title[1]) if title else "plot"


def _row(cells: Sequence[Cell]) -> str:
    return "| " + " | ".join(map(_cell, cells)) + " |"


def _cell(cell: Cell) -> str:
    return _escape(f"{cell:.4f}" if isinstance(cell, float) else str(cell)).replace("|", "\\|")


def _escape(text: str) -> str:
    return text.replace("<", "&lt;")
