"""The comparison of two divisions into lists, as JSON and as a page."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forebear_lab.evaluation.tables import Table
from forebear_lab.experiments.divisions import DivisionRow, division_table
from forebear_lab.experiments.report.page import Page, Section, write_json, write_page

_SENTENCES = (
    "The same searches with two divisions of the collections into lists. Points are 100 times the "
    "difference of means, the second division minus the first, with 95 % intervals by paired "
    "bootstrap over queries. NCE counts record types in both.",
    "Of record-specific learners the first column is learned from all lists of the type, the "
    "second from the list itself; both are tested on the list.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionReport:
    """What two divisions give."""

    experiment: str  # "fusion" or "records"
    names: tuple[str, str]
    rows: Sequence[DivisionRow]
    label: str
    simulated: bool
    seed: int

    def value(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "experiment": f"{self.experiment} by division",
            "divisions": list(self.names),
            "data": self.label,
            "simulated": self.simulated,
            "rows": [row.value() for row in self.rows],
        }

    def table(self) -> Table:
        """Return the comparison."""
        return division_table(self.rows, self.names)

    def page(self) -> Page:
        """Return the page."""
        section = Section(
            title=self.experiment.capitalize(),
            sentences=(f"Data: {self.label}.", *_SENTENCES),
            table=self.table(),
        )
        return Page(
            title=f"Two divisions into lists: by {self.names[0]} and by {self.names[1]}",
            simulated=self.simulated,
            sections=[section],
            seed=self.seed,
        )

    def write(self, out: Path) -> tuple[Path, Path]:
        """Write page and JSON; return where they are."""
        page, values = out / "divisions.html", out / "divisions.json"
        write_json(values, self.value())
        write_page(page, self.page())
        return page, values
