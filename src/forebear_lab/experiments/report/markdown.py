"""How is an experiment published?  As a Markdown page with plots beside it, and an index.

`docs/results/fusion.md` has its plots in `docs/results/fusion/`, and `docs/results/README.md` lists
all pages of the folder.  What differs from run to run although the seed is the same (time, date,
machine) is in separate sections, so the other sections of two runs can be compared.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from forebear import __version__
from forebear.errors import InputError
from forebear_lab.evaluation.tables import Cell, Table
from forebear_lab.experiments.report.page import SIMULATED, Page, Section

INDEX = "README.md"
ANSWERS = ("holds", "does not hold", "undecided")
ORIGIN_HEADING = "How this page was made"
_INDEX_TEXT = """\
# Results

The experiments of "Ranking in Genealogy: Search Results Fusion at Ancestry", calculated by
`forebear experiment`. The paper's data is not public; the data here is simulated unless a page says
otherwise. Simulated data shows that the methods work and what they cost, not how large effects are
in archives. The last columns count the paper's claims that hold, do not hold, or are undecided on a
page; a preview is a small run, and its verdicts may change at the paper's size.

"""
_INDEX_END = """
Each page ends with its command. To make it again, add `--publish` and the page's path, as in
`forebear experiment toy --publish docs/results/toy.md`. The command rewrites this index too.
"""
_CLAIMS_TEXT = """
## The paper's claims

As the pages that are no previews judge them, with the 95 % interval of each difference. An ordering
holds if chance explains it with p at most .05, adjusted for all claims of its table.

"""
_CLAIM_HEADINGS = ("the paper's claim", "page", "here", "figures")
_CLAIM = re.compile(rf"\| (.+?) \| ({'|'.join(ANSWERS)}) \| (.*?) \|")
PREVIEW = "> **Preview.**"
_GUIDE = "../guide/experiments.md"


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
    """Write a page with its plots, and the index of its folder."""
    check_page_name(path)
    plots = [plot for section in page.sections for plot in section.plots]
    names = _write_plots(plots, path.with_suffix(""))
    parts = [f"# {page.title}", *_notices(page)]
    for section in page.sections:
        parts += _section(section, [f"{path.stem}/{names.pop(0)}" for _ in section.plots])
    parts += _origin(page, origin)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join(parts) + "\n", "utf-8")
    write_index(path.parent)


def write_index(folder: Path) -> None:
    """Write the list of all pages of a folder."""
    pages = sorted(path for path in folder.glob("*.md") if path.name != INDEX)
    table = Table(headings=("page", "date", *ANSWERS), rows=[_index_row(path) for path in pages])
    claims = Table(headings=_CLAIM_HEADINGS, rows=[row for path in pages for row in _claims(path)])
    text = f"{_INDEX_TEXT}{markdown_table(table)}\n{_INDEX_END}"
    if (folder / _GUIDE).is_file():
        text += f"[The guide]({_GUIDE}) explains the experiments.\n"
    if claims.rows:
        text += f"{_CLAIMS_TEXT}{markdown_table(claims)}\n"
    (folder / INDEX).write_text(text, "utf-8")


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


def _index_row(path: Path) -> tuple[Cell, ...]:
    text = path.read_text("utf-8")
    title = text.partition("\n")[0].removeprefix("# ")
    date = re.search(r"^\| date \| (.*) \|$", text, re.MULTILINE)
    counts = [text.count(f"| {answer} |") for answer in ANSWERS]
    return f"[{title}]({path.name})", date[1] if date else "", *counts


def _claims(path: Path) -> Iterator[tuple[Cell, ...]]:
    """Yield the claims that a page judges, with its sections' data; none of a preview."""
    text, part = path.read_text("utf-8"), ""
    if PREVIEW in text:
        return
    for line in text.splitlines():
        if line.startswith("## "):
            data, colon, _ = line.removeprefix("## ").partition(": ")
            part = f", {data.lower()}" if colon else ""
        elif match := _CLAIM.fullmatch(line):
            claim, answer, figures = (cell.replace("\\|", "|") for cell in match.groups())
            yield claim, f"[{path.stem}]({path.name}){part}", answer, figures


def _row(cells: Sequence[Cell]) -> str:
    return "| " + " | ".join(map(_cell, cells)) + " |"


def _cell(cell: Cell) -> str:
    return _escape(f"{cell:.4f}" if isinstance(cell, float) else str(cell)).replace("|", "\\|")


def _escape(text: str) -> str:
    return text.replace("<", "&lt;")
