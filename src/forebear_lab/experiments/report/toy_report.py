"""The toy experiment as JSON and as a page."""

from pathlib import Path
from typing import Any

from forebear_lab.experiments.report.page import Section, make_page, write_page
from forebear_lab.experiments.report.write_json import write_json
from forebear_lab.experiments.toy import Toy


def toy_value(toy: Toy) -> dict[str, Any]:
    """Return everything as plain values."""
    return {
        "experiment": "toy",
        "tables": {
            title: [dict(zip(table.headings, row, strict=True)) for row in table.rows]
            for title, table in toy.tables().items()
        },
        "notes": list(toy.notes),
    }


def write_toy(toy: Toy, out: Path) -> tuple[Path, Path]:
    """Write page and JSON; return where they are."""
    page, values = out / "toy.html", out / "toy.json"
    *small, (title, diversity) = toy.tables().items()
    sections = [Section(title=name, table=table) for name, table in small]
    sections.append(Section(title=title, sentences=toy.notes, table=diversity))
    write_json(values, toy_value(toy))
    write_page(page, make_page("The paper's toy data", simulated=False, sections=sections))
    return page, values
