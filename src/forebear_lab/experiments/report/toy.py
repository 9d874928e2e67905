"""The toy data as JSON and as a page."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forebear_lab.evaluation.tables import Table
from forebear_lab.experiments.report.page import Page, Section, write_json, write_page
from forebear_lab.experiments.toy import Toy
from forebear_lab.experiments.verdicts import verdict_value

_EXACT = "The examples are calculated exactly, so there are no intervals."


@dataclass(frozen=True, slots=True)
class ToyReport:
    """The report of the toy data."""

    toy: Toy

    def value(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "experiment": "toy",
            "tables": {
                title: [dict(zip(table.headings, row, strict=True)) for row in table.rows]
                for title, table in self.toy.tables().items()
            },
            "claims": [verdict_value(claim) for claim in self.toy.claims],
            "notes": list(self.toy.notes),
        }

    def texts(self) -> list[str]:
        """Return what is printed."""
        tables = [f"{title}\n{table.as_text()}" for title, table in self.toy.tables().items()]
        return [*tables, self.claims_table().as_text(), *self.toy.notes]

    def claims_table(self) -> Table:
        """Return what the paper says of its examples, and whether it is so."""
        rows = [(one.claim, one.answer, one.figures) for one in self.toy.claims]
        return Table(headings=("the paper's claim", "here", "figures"), rows=rows)

    def page(self) -> Page:
        """Return the page."""
        *small, (title, diversity) = self.toy.tables().items()
        sections = [Section(title=name, table=table) for name, table in small]
        sections.append(Section(title=title, sentences=self.toy.notes, table=diversity))
        sections.append(
            Section(title="What the paper claims", sentences=(_EXACT,), table=self.claims_table())
        )
        return Page(title="The paper's toy data", simulated=False, sections=sections)

    def write(self, out: Path) -> tuple[Path, Path]:
        """Write page and JSON; return where they are."""
        page, values = out / "toy.html", out / "toy.json"
        write_json(values, self.value())
        write_page(page, self.page())
        return page, values
