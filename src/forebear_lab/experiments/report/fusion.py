"""The fusion experiment as JSON and as a page."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from forebear_lab.evaluation.tables import Table
from forebear_lab.experiments.data import PAPER_QUERIES, printed_fusion
from forebear_lab.experiments.fusion import FusionResults, MethodResult, on_same_folds
from forebear_lab.experiments.report.fusion_claims import judge_rankings, judge_times, titled
from forebear_lab.experiments.report.fusion_plots import (
    CURVES,
    FRONT,
    METHODS,
    WEIGHTS,
    plot_curves,
    plot_front,
    plot_weights,
)
from forebear_lab.experiments.report.page import (
    Distance,
    Page,
    Section,
    measure_distance,
    write_json,
    write_page,
)
from forebear_lab.experiments.report.ranklib import RANKLIB_SENTENCE, compare_with_ranklib
from forebear_lab.experiments.report.search_settings import (
    readings_table,
    settings_sections,
    settings_table,
)
from forebear_lab.experiments.verdicts import (
    Verdict,
    verdict_value,
)

POINTS = (
    "Points are 100 times the difference of means; percent is relative to the baseline. The "
    "paper's column headed % holds points."
)
CONVENTIONS = (
    "NDCG@100 is averaged over ties, NCE@100 is by the paper's definition with one type per list. "
    "± is 1.96 standard errors; intervals in brackets are 95 %, paired bootstrap over queries."
)
ENGINE_ROW = (
    "The engine's model is how the archive's own model fuses these lists; it learned nothing here."
)
ENGINE_SCORES = "Raw scores are its scores without the shift, slope and conditions of each list."
LEARNED_SCORES = (
    "All other rows fuse lists whose records are ranked by the weights that were learned for their "
    "type."
)


def fusion_sections(report: "FusionReport") -> list[Section]:
    """Return the page's sections; what differs from run to run is in the last but one."""
    results = report.results
    raw = LEARNED_SCORES if results.data.learned_types else ENGINE_SCORES
    engine = (f"{ENGINE_ROW} {raw}",) if results.data.engine_scores is not None else ()
    sentences = (_describe_data(results), CONVENTIONS, POINTS, *engine)
    beside = compare_with_ranklib(results)
    ranklib = [Section(title="RankLib beside ours", sentences=(RANKLIB_SENTENCE,), table=beside)]
    front = plot_front(results, report.ndcg, report.nce)
    return [
        Section(
            title="NDCG@100, beside the paper's table 7",
            sentences=sentences,
            table=report.measure_table("ndcg"),
        ),
        Section(title="NCE@100, beside the paper's table 8", table=report.measure_table("nce")),
        Section(title="What the paper claims", table=_claims_table(report.verdicts)),
        *(ranklib if beside.rows else []),
        Section(
            title="Did every learner converge?", sentences=(CURVES,), plots=plot_curves(results)
        ),
        Section(title="Weights", sentences=(WEIGHTS,), plots=plot_weights(results)),
        Section(
            title="Relevance and diversity",
            sentences=(FRONT if results.trade_offs else METHODS,),
            plots=front,
        ),
        *settings_sections(results),
        Section(title="Settings", table=_settings_table(results)),
        Section(
            title="Training time, beside the paper's table 9",
            sentences=(_TIMES,),
            table=report.time_table(),
        ),
        Section(title="What the paper claims of time", table=_claims_table(report.time_verdicts)),
    ]


def _describe_data(results: FusionResults) -> str:
    plan = results.plan
    return (
        f"Data: {results.data.label}. {len(results.query_ids)} queries in {plan.folds} folds, "
        f"seed {plan.seed}. LambdaMART, MART, RandomForest, RankNet and LambdaMerge see at most "
        f"{plan.sample} training queries, AdaRank, ListNet, RankBoost, the sweeps and the "
        f"regression {4 * plan.sample}; RankSVM 2,000 and SS's start 1,000; all others see all."
    )


def _settings_table(results: FusionResults) -> Table:
    rows = [
        (one.method.title, ", ".join(f"{name} {value}" for name, value in one.settings.items()))
        for one in results.methods
        if one.settings
    ]
    return Table(headings=("method", "settings"), rows=rows)


def _claims_table(verdicts: Sequence[Verdict]) -> Table:
    rows = [(one.claim, one.answer, one.figures) for one in verdicts]
    return Table(headings=("the paper's claim", "here", "figures"), rows=rows)


def preview_sentence(results: FusionResults) -> str:
    """Return how much smaller than the paper's the simulated lists are; nothing if they are not."""
    queries, data = len(results.query_ids), results.data
    if not data.simulated or data.engine_scores is not None or queries >= PAPER_QUERIES:
        return ""
    return (
        f"{queries:,} simulated queries with {len(data.dataset.list_names)} lists. The paper had "
        f"about {PAPER_QUERIES:,} queries and 8 to 20 lists."
    )


_TIMES = (
    "Seconds of CPU on one thread, the mean over folds. Times of learners that saw fewer queries "
    "look better than they are. The paper's are of a machine with 8 processors."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionReport:
    """The report of a fusion experiment."""

    results: FusionResults
    ndcg: Mapping[str, Distance]
    nce: Mapping[str, Distance]
    verdicts: Sequence[Verdict]
    time_verdicts: Sequence[Verdict]

    def value(self) -> dict[str, Any]:
        """Return everything as plain values."""
        plan, printed = self.results.plan, printed_fusion()
        return {
            "experiment": "fusion",
            "data": self.results.data.label,
            "simulated": self.results.data.simulated,
            "queries": len(self.results.query_ids),
            "folds": plan.folds,
            "seed": plan.seed,
            "sample": plan.sample,
            "methods": [
                {
                    "name": one.method.name,
                    "title": one.method.title,
                    "origin": one.method.origin,
                    "ndcg": asdict(self.ndcg[one.method.name]),
                    "nce": asdict(self.nce[one.method.name]),
                    "folds": list(one.folds or range(plan.folds)),
                    "cpu_seconds": list(one.seconds),
                    "settled": one.settled,
                    "settings": one.settings,
                    "weights": one.weights,
                    "curve": [asdict(point) for curve in one.curves[:1] for point in curve],
                    "printed": printed.get(one.method.name.removeprefix("ranklib_"), {}),
                }
                for one in self.results.methods
            ],
            "not_run": [asdict(one) for one in self.results.not_run],
            "variants": [
                {
                    "name": one.method.name,
                    "title": one.method.title,
                    "ndcg": float(one.ndcg.mean()),
                    "cpu_seconds": list(one.seconds),
                    "curve": [asdict(point) for point in one.curves[0]],
                }
                for one in self.results.variants
            ],
            "claims": [verdict_value(verdict) for verdict in (*self.verdicts, *self.time_verdicts)],
            "trade_offs": list(self.results.trade_offs),
        }

    def table(self) -> Table:
        """Return the figures of all methods."""
        rows = []
        for one in self.results.methods:
            name = one.method.name
            rows.append(
                (
                    self._title(one),
                    *self.ndcg[name].shown,
                    *self.nce[name].shown,
                    f"{np.mean(one.seconds):.2f}" if one.seconds else "-",
                    _settled(one),
                    *_printed_cells(one, _PRINTED),
                )
            )
        blank = ("-",) * (len(_HEADINGS) - 2)
        rows += [(one.title, f"not run: {one.reason}", *blank) for one in self.results.not_run]
        return Table(headings=_HEADINGS, rows=rows)

    def tables(self) -> list[Table]:
        """Return all tables that have rows, as they are printed."""
        tables = [
            self.table(),
            compare_with_ranklib(self.results),
            settings_table(self.results),
            readings_table(self.results),
            self.verdict_table(),
        ]
        return [table for table in tables if table.rows]

    def verdict_table(self) -> Table:
        """Return the verdicts on the paper's claims."""
        return _claims_table([*self.verdicts, *self.time_verdicts])

    def measure_table(self, measure: str) -> Table:
        """Return one measure, ``ndcg`` or ``nce``, beside what the paper prints."""
        distances = self.ndcg if measure == "ndcg" else self.nce
        rows = [
            (
                self._title(one),
                *distances[one.method.name].shown,
                _settled(one),
                *_printed_cells(one, (measure, f"{measure}_points")),
            )
            for one in self.results.methods
        ]
        rows += [(one.title, f"not run: {one.reason}", *("-",) * 5) for one in self.results.not_run]
        headings = ("method", f"{measure.upper()}@100", "points", "percent", "settled")
        return Table(headings=(*headings, "paper", "paper: points"), rows=rows)

    def time_table(self) -> Table:
        """Return the training times beside what the paper prints."""
        rows = [
            (self._title(one), f"{np.mean(one.seconds):.2f}", *_printed_cells(one, ("seconds",)))
            for one in self.results.methods
            if one.seconds
        ]
        return Table(headings=("method", "CPU s a fold", "paper: s"), rows=rows)

    def _title(self, one: MethodResult) -> str:
        return titled(one, self.results.plan.folds)

    def page(self) -> Page:
        """Return the page."""
        preview, queries = preview_sentence(self.results), len(self.results.query_ids)
        archive = self.results.data.archive
        return Page(
            title="Fusion of record types"
            + (f", a preview of {queries} queries" if preview else "")
            + (f" of the engine's own lists: {archive}" if archive else ""),
            simulated=self.results.data.simulated,
            sections=fusion_sections(self),
            seed=self.results.plan.seed,
            preview=preview,
        )

    def write(self, out: Path) -> tuple[Path, Path]:
        """Write page and JSON; return where they are."""
        page, values = out / "fusion.html", out / "fusion.json"
        write_json(values, self.value())
        write_page(page, self.page())
        return page, values


def _printed_cells(one: MethodResult, keys: Sequence[str]) -> tuple[str, ...]:
    """Return what the paper prints of a method; a dash for what it does not."""
    theirs = printed_fusion().get(one.method.name.removeprefix("ranklib_"), {})
    return tuple(f"{theirs[key]:g}" if key in theirs else "-" for key in keys)


_PRINTED = ("ndcg", "nce", "seconds")
_HEADINGS = (
    *("method", "NDCG@100", "points", "percent", "NCE@100", "points", "percent"),
    *("CPU s a fold", "settled", "paper: NDCG", "paper: NCE", "paper: s"),
)


def report_fusion(results: FusionResults) -> FusionReport:
    """Compare all methods with the baseline and judge the paper's claims."""
    base, plan = results.methods[0], results.plan
    by_name = {one.method.name: one for one in results.methods}
    pairs = {name: on_same_folds(base, one) for name, one in by_name.items()}
    return FusionReport(
        results=results,
        ndcg={
            name: measure_distance(before.ndcg, after.ndcg, seed=plan.seed)
            for name, (before, after) in pairs.items()
        },
        nce={
            name: measure_distance(before.nce, after.nce, seed=plan.seed)
            for name, (before, after) in pairs.items()
        },
        verdicts=judge_rankings(by_name, plan),
        time_verdicts=judge_times(by_name, plan),
    )


def _settled(one: MethodResult) -> str:
    if one.method.origin in ("ranklib", "engine"):
        return "-"  # the one does not say, the other was not trained
    return "yes" if one.settled else "no"
