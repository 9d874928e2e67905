"""The learning loop as JSON and as a page: curves, daily training, drift, promotion, trials."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forebear_lab.evaluation.tables import Cell, Table
from forebear_lab.experiments.loop import CurveRow
from forebear_lab.experiments.loop_differences import Estimate, values_of
from forebear_lab.experiments.loop_interleaving import InterleavingRow
from forebear_lab.experiments.loop_learners import TITLES
from forebear_lab.experiments.loop_promotion import LOOKS, PromotionRow
from forebear_lab.experiments.loop_time import SHOWN_DAYS, DailyRows, DriftRow
from forebear_lab.experiments.report.page import Page, Section, write_json, write_page
from forebear_lab.experiments.report.plots import line_plot

SHOWN_LOOKS = (100, 200, 500, 1_000, 2_000)
TRIAL_MARKS = (200, 500, 1_000)
_CURVES = (
    "links: every right record is attached. use: users look at rank r of the first twenty with the "
    "chance r ** -0.7, and 4 % of their attachments are wrong. one-type: only records of the "
    "commonest record type are attached; the last column is NDCG@100 of the records of all other "
    "types. Searches are those with an attachment. The program learns from use only from 50 "
    "searches on, so with fewer the model default stays.",
    "Differences are means over draws of training searches and over test searches; intervals "
    "(95 %) resample both, by person sought. Worst: the lowest mean of a draw.",
)
_DAILY = (
    "25 searches a day, each shown in the order of the newest model, which is used without a test. "
    "Every training starts from default and learns from all days so far.",
)
_DRIFT = (
    "Searches are ordered by the year of birth that they state. Learned from links of the earlier "
    "half, judged on the later half.",
)
_PROMOTION = (
    "Pairs of fixed models whose difference on all test searches is known; searches are drawn from "
    "these with replacement. The rule of `forebear train` is applied after every hundred searches, "
    "with its refusals; the columns say in which share of trials it has promoted so far.",
)
_INTERLEAVING = (
    "The same pairs, interleaved as by `forebear serve --trial`. Users look at all of the first 20 "
    "records, or at the record of a rank with the probability stated, and attach 1 % of the wrong "
    "records that they look at. The columns say in which share of trials the second model is "
    "promoted, by searches with attachments, and how many searches the median promotion took, "
    "those without attachments included.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopReport:
    """The report of a learning loop."""

    label: str
    seed: int
    pool: int  # searches to learn from
    test: int
    default: dict[str, Estimate]
    hand_set: dict[str, Estimate]
    curves: Sequence[CurveRow]
    daily: DailyRows | None = None
    drift: Sequence[DriftRow] = ()
    promotion: Sequence[PromotionRow] = ()
    interleaving: Sequence[InterleavingRow] = ()

    def value(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "experiment": "loop",
            "data": self.label,
            "simulated": True,
            "seed": self.seed,
            "training_searches": self.pool,
            "test_searches": self.test,
            "default": values_of(self.default),
            "hand_set": values_of(self.hand_set),
            "curves": [row.value() for row in self.curves],
            "daily": self.daily.value() if self.daily else None,
            "drift": [row.value() for row in self.drift],
            "promotion": [row.value() for row in self.promotion],
            "interleaving": [row.value() for row in self.interleaving],
        }

    def curve_table(self) -> Table:
        """Return the learning curves."""
        zero = self.default["ndcg@100"]
        start = ("-", "default", 0, 0, zero.mean, "", "", "", "", "", "")
        hand_set = ("-", "hand-set", 0, 0, self.hand_set["ndcg@100"].mean, "", "", "", "", "", "")
        return Table(
            headings=(
                "feedback", "learner", "searches", "draws", "NDCG@100", "over default", "worst",
                "over hand-set", "NCE@100", "success@1", "other types",
            ),
            rows=[start, hand_set, *map(_curve_cells, self.curves)],
        )  # fmt: skip

    def daily_table(self) -> Table:
        """Return what daily training leads to."""
        days = [row for row in self.daily.days if row.day in SHOWN_DAYS] if self.daily else []
        return Table(
            headings=("day", "NDCG@100", "worst", "success@1", "largest change of a weight"),
            rows=[
                (
                    row.day,
                    f"{row.ndcg:+.4f}",
                    f"{row.worst:+.4f}",
                    f"{row.success_1:+.4f}",
                    f"{row.largest_change:.1f} bits",
                )
                for row in days
            ],
        )

    def drift_table(self) -> Table:
        """Return what is learned from the past."""
        return Table(
            headings=("searches", "draws", "NDCG@100", "worst", "success@1"),
            rows=[
                (
                    row.searches,
                    row.draws,
                    row.over_default["ndcg@100"].shown,
                    f"{row.over_default['ndcg@100'].worst:+.4f}",
                    row.over_default["success@1"].shown,
                )
                for row in self.drift
            ],
        )

    def promotion_table(self) -> Table:
        """Return how often models are promoted."""
        shown = [look for look in SHOWN_LOOKS if look in LOOKS]
        return Table(
            headings=("true difference", "trials", *(f"by {n:,}" for n in shown), "refused once"),
            rows=[
                (
                    f"{row.true:+.4f}",
                    row.trials,
                    *(f"{row.promoted[look]:.1%}" for look in shown),
                    f"{row.refused:.1%}",
                )
                for row in self.promotion
            ],
        )

    def interleaving_table(self) -> Table:
        """Return how trials of two models end."""
        return Table(
            headings=(
                "true difference", "users look at", "with attachments", "mean sign", "promoted",
                *(f"by {n:,}" for n in TRIAL_MARKS), "median searches",
            ),
            rows=[
                (
                    f"{row.true:+.4f}",
                    row.behavior,
                    f"{row.attaching:.0%}",
                    f"{row.sign:+.3f}",
                    f"{row.promoted:.1%}",
                    *(f"{row.promoted_by[mark]:.1%}" for mark in TRIAL_MARKS),
                    "" if row.median is None else f"{row.median:,.0f}",
                )
                for row in self.interleaving
            ],
        )  # fmt: skip

    def texts(self) -> list[str]:
        """Return what is printed."""
        tables = (
            self.curve_table(), self.daily_table(), self.drift_table(), self.promotion_table(),
            self.interleaving_table(),
        )  # fmt: skip
        return [self._data(), *(table.as_text() for table in tables if table.rows)]

    def page(self) -> Page:
        """Return the page."""
        return Page(
            title="The learning loop: what searches and attachments teach",
            simulated=True,
            sections=self._sections(),
            seed=self.seed,
        )

    def write(self, out: Path) -> tuple[Path, Path]:
        """Write page and JSON; return where they are."""
        page, values = out / "loop.html", out / "loop.json"
        write_json(values, self.value())
        write_page(page, self.page())
        return page, values

    def _data(self) -> str:
        return (
            f"{self.label}: {self.pool:,} searches to learn from, {self.test:,} searches for other "
            "people to judge on"
        )

    def _sections(self) -> list[Section]:
        curves = Section(
            title="Learning curves",
            sentences=(f"Data: {self._data()}.", *_CURVES),
            table=self.curve_table(),
            plots=(self._plot(),),
        )
        others = [
            ("Daily training", _DAILY, self.daily_table()),
            ("Trained on the past", _DRIFT, self.drift_table()),
            ("Promotion", _PROMOTION, self.promotion_table()),
            ("Interleaving", _INTERLEAVING, self.interleaving_table()),
        ]
        return [
            curves,
            *(
                Section(title=title, sentences=sentences, table=table)
                for title, sentences, table in others
                if table.rows
            ),
        ]

    def _plot(self) -> str:
        lines: dict[str, list[tuple[float, float]]] = {}
        for row in self.curves:
            name = f"{row.feedback}, {TITLES[row.learner]}"
            point = (float(row.searches), row.over_default["ndcg@100"].mean)
            lines.setdefault(name, []).append(point)
        return line_plot(
            "NDCG over default by searches",
            lines,
            x_label="searches",
            y_label="NDCG@100",
            log_x=True,
        )


def _curve_cells(row: CurveRow) -> tuple[Cell, ...]:
    over = row.over_default
    return (
        row.feedback,
        TITLES[row.learner],
        row.searches,
        row.draws,
        row.fitted["ndcg@100"].mean,
        over["ndcg@100"].shown,
        f"{over['ndcg@100'].worst:+.4f}",
        row.over_hand_set["ndcg@100"].shown,
        over["nce@100"].shown,
        over["success@1"].shown,
        row.other_types.shown if row.other_types else "",
    )
