"""The diversity experiment as JSON and as a page.

Every method of fusing by all measures of diversity, what a decay gives for what it costs, and
whether varied first pages lead to more attachments.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from forebear.learning.engagement import MIN_SEARCHES, Engagement
from forebear_lab.evaluation.tables import Cell, Table
from forebear_lab.experiments.fusion import FusionResults, MethodResult
from forebear_lab.experiments.report.fusion import preview_sentence
from forebear_lab.experiments.report.page import Page, Section, write_json, write_page
from forebear_lab.experiments.report.plots import line_plot, point_plot
from forebear_lab.experiments.varied_lists import MEASURES

TITLES = {
    "ndcg": "NDCG@100",
    "nce": "NCE@100",
    "srecall@20": "S-recall@20",
    "alpha_ndcg@20": "α-NDCG@20",
    "ndcg_ia@100": "NDCG-IA@100",
    "mrr_ia@100": "MRR-IA@100",
    "map_ia@100": "MAP-IA@100",
}
NO_USERS = (
    "Attachments by variety of the first page: not measured, because this data has no users. "
    "Give --archive, the log of an archive, or --world N:SEED, which has simulated users."
)
SIMULATED_USERS = (
    "The archive is simulated, and simulated users attach by rank and relevance alone: this checks "
    "the method and says nothing about people."
)
_MEASURES = (
    "NDCG@100 is averaged over ties; NCE@100 counts the record types of the list by the paper's "
    "definition. S-recall, α-NDCG (α = 0.5) and the intent-aware measures count relevant records: "
    "the aspects of a query are the record types with a relevant record in its lists. ± is 1.96 "
    "standard errors over queries."
)
_DECAY = (
    "A record loses the decay, in bits, for every record of its list before it. Exact here means "
    "exact shifts and slopes, swept on the first fold; the engine's model is swept on all queries. "
    "Front: no other decay of the column gives more of both."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiversityReport:
    """The report of a diversity experiment."""

    results: FusionResults
    engagement: Engagement | None  # None: the data has no users

    def value(self) -> dict[str, Any]:
        """Return everything as plain values."""
        plan, data = self.results.plan, self.results.data
        return {
            "experiment": "diversity",
            "data": data.label,
            "simulated": data.simulated,
            "queries": len(self.results.query_ids),
            "folds": plan.folds,
            "seed": plan.seed,
            "sample": plan.sample,
            "methods": [
                {
                    "name": one.method.name,
                    "title": one.method.title,
                    "measures": {name: _spread(values) for name, values in _all(one).items()},
                }
                for one in self.results.methods
            ],
            "decays": list(self.results.trade_offs),
            "engine_decays": list(self.results.engine_trade_offs),
            "engagement": asdict(self.engagement) if self.engagement else None,
        }

    def table(self) -> Table:
        """Return every measure of every method."""
        rows = [
            (one.method.title, *(_shown(values) for values in _all(one).values()))
            for one in self.results.methods
        ]
        return Table(headings=("method", *TITLES.values()), rows=rows)

    def decay_table(self) -> Table:
        """Return NDCG against NCE by decay."""
        engine = self.results.engine_trade_offs
        rows: list[tuple[Cell, ...]] = []
        for place, one in enumerate(self.results.trade_offs):
            ours = _trade_off(engine[place]) if engine else ()
            rows.append((f"{one['decay']:g}", *_trade_off(one), *ours))
        headings = ("decay in bits", "exact: NDCG", "NCE", "front")
        of_engine = ("engine: NDCG", "NCE", "front") if engine else ()
        return Table(headings=(*headings, *of_engine), rows=rows)

    def texts(self) -> list[str]:
        """Return what is printed."""
        label = self.results.data.label
        parts = [label, self.table().as_text(), self.decay_table().as_text()]
        if self.engagement is None:
            return [*parts, NO_USERS]
        table = [_users_table(self.engagement).as_text()] if self.engagement.terciles else []
        return [*parts, *table, *self._user_sentences()]

    def page(self) -> Page:
        """Return the page."""
        preview, queries = preview_sentence(self.results), len(self.results.query_ids)
        return Page(
            title="Diversity of fused lists"
            + (f", a preview of {queries} queries" if preview else ""),
            simulated=self.results.data.simulated,
            sections=self._sections(),
            seed=self.results.plan.seed,
            preview=preview,
        )

    def write(self, out: Path) -> tuple[Path, Path]:
        """Write page and JSON; return where they are."""
        page, values = out / "diversity.html", out / "diversity.json"
        write_json(values, self.value())
        write_page(page, self.page())
        return page, values

    def _sections(self) -> list[Section]:
        results = self.results
        data = (
            f"Data: {results.data.label}. {len(results.query_ids)} queries in "
            f"{results.plan.folds} folds, seed {results.plan.seed}."
        )
        users = _users_table(self.engagement) if self.engagement else None
        return [
            Section(
                title="Measures of diversity",
                sentences=(data, _MEASURES),
                table=self.table(),
                plots=(_methods_plot(results.methods),),
            ),
            Section(
                title="Relevance against diversity by decay",
                sentences=(_DECAY,),
                table=self.decay_table(),
                plots=(self._decay_plot(),),
            ),
            Section(
                title="Attachments by variety of the first page",
                sentences=self._user_sentences(),
                table=users,
            ),
        ]

    def _user_sentences(self) -> tuple[str, ...]:
        if self.engagement is None:
            return (NO_USERS,)
        counted = f"{self.engagement.searches:,} searches with at least two records on page 1."
        if not self.engagement.terciles:
            return (f"{counted} Too few for thirds: {MIN_SEARCHES} are needed.",)
        simulated = (SIMULATED_USERS,) if self.results.data.simulated else ()
        return (counted, self.engagement.caveat, *simulated)

    def _decay_plot(self) -> str:
        swept = {
            "exact, first fold": self.results.trade_offs,
            "the engine's model": self.results.engine_trade_offs,
        }
        lines = {
            name: [(one["ndcg"], one["nce"]) for one in offs]
            for name, offs in swept.items()
            if offs
        }
        return line_plot("NCE against NDCG by decay", lines, x_label="NDCG@100", y_label="NCE@100")


def _all(one: MethodResult) -> dict[str, Any]:
    return {"ndcg": one.ndcg, "nce": one.nce, **{name: one.variety[name] for name in MEASURES}}


def _spread(values: Any) -> dict[str, float]:
    half = 1.96 * float(np.std(values, ddof=1)) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return {"mean": float(np.mean(values)), "half_width": half}


def _shown(values: Any) -> str:
    spread = _spread(values)
    return f"{spread['mean']:.4f} ± {spread['half_width']:.4f}"


def _trade_off(one: dict[str, float]) -> tuple[float, float, str]:
    return one["ndcg"], one["nce"], "yes" if one["front"] else ""


def _users_table(engagement: Engagement) -> Table:
    return Table(
        headings=("NCE of page 1", "searches", "searchers", "attachments a search", "95 %"),
        rows=[
            (
                f"{third.low:.3f} to {third.high:.3f}",
                third.searches,
                third.searchers,
                third.attachments,
                f"[{third.attachments_low:.3f}, {third.attachments_high:.3f}]",
            )
            for third in engagement.terciles
        ],
    )


def _methods_plot(methods: Sequence[MethodResult]) -> str:
    points = {one.method.name: (float(one.ndcg.mean()), float(one.nce.mean())) for one in methods}
    return point_plot("Methods", points, [], x_label="NDCG@100", y_label="NCE@100")
