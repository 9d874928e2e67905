"""How is an experiment written?  As one HTML page that loads nothing, and as JSON beside it.

`markdown.py` writes the same page as Markdown, to be published.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from forebear import __version__
from forebear.kernels.ndcg import Floats
from forebear_lab.evaluation.tables import Cell, Table
from forebear_lab.experiments.verdicts import difference_interval

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
    "This data is simulated. It contains by construction what its generator puts in; "
    "it shows that the methods work and what they cost, not how large effects are in archives."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and what follows it, in this order."""

    title: str
    sentences: tuple[str, ...] = ()
    table: Table | None = None
    plots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The page of an experiment, before it is written."""

    title: str
    simulated: bool
    sections: Sequence[Section]
    seed: int | None = None  # None: nothing in it is random
    preview: str = ""  # how much smaller than the paper's this experiment is

    def as_html(self) -> str:
        """Return the page as HTML."""
        body = [f"<h1>{escape(self.title)}</h1>"]
        if self.simulated:
            body.append(f'<p class="simulated"><strong>Simulated.</strong> {SIMULATED}</p>')
        if self.preview:
            body.append(f"<p><strong>Preview.</strong> {escape(self.preview)}</p>")
        for section in self.sections:
            body += _section(section)
        body.append(f"<p><small>forebear {__version__}</small></p>")
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(self.title)}</title><style>{STYLE}</style></head><body>\n"
            + "\n".join(body)
            + "\n</body></html>\n"
        )


def write_page(path: Path, page: Page) -> None:
    """Write the page as HTML, making its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page.as_html(), "utf-8")


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


def write_json(path: Path, value: dict[str, Any]) -> None:
    """Write a value as JSON, making its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", "utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """How far a method is from the baseline by one measure.

    The paper heads a column "%" and prints points: 0.7106 - 0.6072 is 10.34 points of NDCG, and
    17.0 percent of the baseline.  Both are given here.
    """

    mean: float
    half_width: float  # of the mean's 95 % interval
    points: float  # 100 * (mean - baseline's mean)
    points_low: float
    points_high: float
    percent: float  # of the baseline's mean

    @property
    def shown(self) -> tuple[str, str, str]:
        """Return the mean, the points and the percentage as they are shown."""
        return (
            f"{self.mean:.4f} ± {self.half_width:.4f}",
            f"{self.points:+.2f} [{self.points_low:+.2f}, {self.points_high:+.2f}]",
            f"{self.percent:+.1f} %",
        )


def measure_distance(baseline: Floats, values: Floats, *, seed: int) -> Distance:
    """Compare values with a baseline's, query by query."""
    difference, low, high = difference_interval(baseline, values, seed=seed)
    mean = float(values.mean())
    error = float(values.std(ddof=1)) / np.sqrt(values.size) if values.size > 1 else 0.0
    base = float(baseline.mean())
    return Distance(
        mean=mean,
        half_width=1.96 * float(error),
        points=100 * difference,
        points_low=100 * low,
        points_high=100 * high,
        percent=100 * difference / base if base else 0.0,
    )
