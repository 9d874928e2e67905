"""One HTML page: headings, sentences, tables, plots; everything inside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from forebear import __version__
from forebear_lab.evaluation.tables import Cell, Table

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 72em; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid #ccc; padding: .2em .7em; text-align: left; }
td.number { text-align: right; }
.simulated { background: #fff3cd; border: 1px solid #e0c060; padding: .6em 1em; }
.plots { display: flex; flex-wrap: wrap; gap: 1em; }
.plots svg { width: 30em; max-width: 100%; height: auto; border: 1px solid #eee; }
.holds { color: #17662b; } .not { color: #a11; } .undecided { color: #666; }
"""
SIMULATED = (
    "This data is simulated. It contains by construction what its generator was told to put in; "
    "it shows that the methods work and what they cost, not how large effects are in archives."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading with what stands under it, in this order."""

    title: str
    sentences: tuple[str, ...] = ()
    table: Table | None = None
    plots: tuple[str, ...] = ()


def make_page(title: str, *, simulated: bool, sections: Sequence[Section]) -> str:
    """Return the page."""
    body = [f"<h1>{escape(title)}</h1>"]
    if simulated:
        body.append(f'<p class="simulated"><strong>Simulated.</strong> {SIMULATED}</p>')
    for section in sections:
        body += _section(section)
    body.append(f"<p><small>forebear {__version__}</small></p>")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def write_page(path: Path, text: str) -> None:
    """Write the page, making its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _section(section: Section) -> list[str]:
    parts = [f"<h2>{escape(section.title)}</h2>"]
    parts += [f"<p>{escape(sentence)}</p>" for sentence in section.sentences]
    if section.table:
        parts.append(_table(section.table))
    if section.plots:
        parts.append('<div class="plots">' + "\n".join(section.plots) + "</div>")
    return parts


def _table(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.headings)
    rows = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in table.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table>"


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        kind = {"holds": "holds", "does not hold": "not", "undecided": "undecided"}.get(cell)
        return f'<td class="{kind}">{escape(cell)}</td>' if kind else f"<td>{escape(cell)}</td>"
    shown = f"{cell:.4f}" if isinstance(cell, float) else str(cell)
    return f'<td class="number">{shown}</td>'
