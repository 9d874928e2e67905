"""The fusion experiment as JSON and as a page."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from forebear_lab.evaluation.tables import Table
from forebear_lab.experiments.data import paper_claims, printed_fusion
from forebear_lab.experiments.fusion import FusionResults, MethodResult
from forebear_lab.experiments.methods import BASELINE
from forebear_lab.experiments.report.page import (
    Distance,
    Section,
    make_page,
    measure_distance,
    write_json,
    write_page,
)
from forebear_lab.experiments.report.plots import category_plot, line_plot, point_plot
from forebear_lab.experiments.report.ranklib import RANKLIB_SENTENCE, compare_with_ranklib
from forebear_lab.experiments.report.search_settings import (
    readings_table,
    settings_sections,
    settings_table,
)
from forebear_lab.experiments.verdicts import (
    Ordering,
    Verdict,
    judge_orderings,
    judge_ratio,
    verdict_value,
)

Distances = Mapping[str, Distance]

POINTS = (
    "Points are 100 times the difference of means; percent is relative to the baseline. The "
    "paper's column headed % holds points."
)
CONVENTIONS = (
    "NDCG@100 is averaged over ties, NCE@100 is by the paper's definition with one type per list. "
    "± is 1.96 standard errors; intervals in brackets are 95 %, paired bootstrap over queries."
)
ENGINE_ROW = (
    "The engine's model is how the archive's own model fuses these lists; it learned nothing here. "
    "Raw scores are its scores without the shift, slope and conditions of each list."
)
LINEAR = ("ranksvm", "ca", "ss", "exact", "wu", "listnet")  # whose weights are shown together


def fusion_sections(
    results: FusionResults, *, figures: Table, verdicts: Table, ndcg: Distances, nce: Distances
) -> list[Section]:
    """Return the page's sections."""
    plan = results.plan
    description = (
        f"Data: {results.data.label}. {len(results.query_ids)} queries in {plan.folds} folds, "
        f"seed {plan.seed}. LambdaMART, MART, RandomForest, RankNet and LambdaMerge see at most "
        f"{plan.sample} training queries, AdaRank, ListNet, RankBoost, the sweeps and the "
        f"regression {4 * plan.sample}; RankSVM 2,000 and SS's start 1,000; all others see all. "
        "So training times of learners that saw fewer queries look better than they are."
    )
    engine = (ENGINE_ROW,) if results.data.engine_scores is not None else ()
    sentences, front = (description, CONVENTIONS, POINTS, *engine), _front(results, ndcg, nce)
    settings = [
        (one.method.title, ", ".join(f"{name} {value}" for name, value in one.settings.items()))
        for one in results.methods
        if one.settings
    ]
    beside = compare_with_ranklib(results)
    ranklib = [Section(title="RankLib beside ours", sentences=(RANKLIB_SENTENCE,), table=beside)]
    return [
        Section(title="Relevance, diversity, time", sentences=sentences, table=figures),
        *(ranklib if beside.rows else []),
        Section(title="What the paper claims", table=verdicts),
        Section(title="Did every learner converge?", sentences=(_CURVES,), plots=_curves(results)),
        Section(title="Weights", sentences=(_WEIGHTS,), plots=_weights(results)),
        Section(title="Relevance and diversity", sentences=(_FRONT,), plots=front),
        *settings_sections(results),
        Section(title="Settings", table=Table(headings=("method", "settings"), rows=settings)),
    ]  # fmt: skip


_CURVES = (
    "NDCG@100 of training queries as training went on (first fold); where queries were held out "
    "from training to choose when to stop, theirs too. Settled: the last fifth of the work gained "
    "at most 0.005."
)
_WEIGHTS = "log2 of the weight of each list, about the method's mean (first fold)."
_FRONT = (
    "Each method by its two measures; the line is the Pareto front of a decay after exact fusion, "
    "swept (first fold): no other decay gives more of both."
)


def _curves(results: FusionResults) -> tuple[str, ...]:
    plots = []
    for one in results.methods:
        curve = one.curves[0] if one.curves else ()
        if len(curve) > 1:
            lines = {"train": [(point.work, point.train) for point in curve]}
            held = [(point.work, point.held) for point in curve if point.held is not None]
            lines |= {"held out": held} if held else {}
            plots.append(line_plot(one.method.title, lines, x_label=one.unit, y_label="NDCG@100"))
    return tuple(plots)


def _weights(results: FusionResults) -> tuple[str, ...]:
    rows = {}
    for one in results.methods:
        values = np.array(list(one.weights.values()))
        if one.method.name in LINEAR and values.size and (values > 0).all():
            bits = np.log2(values)
            rows[one.method.title] = (bits - bits.mean()).tolist()
    names = results.data.dataset.list_names
    return (category_plot("Weights by list", names, rows, y_label="bits"),) if rows else ()


def _front(results: FusionResults, ndcg: Distances, nce: Distances) -> tuple[str, ...]:
    least = ndcg[BASELINE].mean
    points = {name: (one.mean, nce[name].mean) for name, one in ndcg.items() if one.mean >= least}
    line = [(one["ndcg"], one["nce"]) for one in results.trade_offs if one["front"]]
    title = "Pareto front of the decay, and methods above the baseline"
    return (point_plot(title, points, line, x_label="NDCG@100", y_label="NCE@100"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionReport:
    """The report of a fusion experiment."""

    results: FusionResults
    ndcg: Mapping[str, Distance]
    nce: Mapping[str, Distance]
    verdicts: Sequence[Verdict]

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
            "claims": [verdict_value(verdict) for verdict in self.verdicts],
            "trade_offs": list(self.results.trade_offs),
        }

    def table(self) -> Table:
        """Return the figures of all methods."""
        printed = printed_fusion()
        rows = []
        for one in self.results.methods:
            name = one.method.name
            theirs = printed.get(name.removeprefix("ranklib_"), {})
            rows.append(
                (
                    _title(one),
                    *self.ndcg[name].shown,
                    *self.nce[name].shown,
                    f"{np.mean(one.seconds):.2f}" if one.seconds else "-",
                    _settled(one),
                    *(f"{theirs[key]:g}" if key in theirs else "-" for key in _PRINTED),
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
        rows = [(one.claim, one.answer, one.figures) for one in self.verdicts]
        return Table(headings=("the paper's claim", "here", "figures"), rows=rows)

    def write(self, out: Path) -> tuple[Path, Path]:
        """Write page and JSON; return where they are."""
        page, values = out / "fusion.html", out / "fusion.json"
        write_json(values, self.value())
        sections = fusion_sections(
            self.results,
            figures=self.table(),
            verdicts=self.verdict_table(),
            ndcg=self.ndcg,
            nce=self.nce,
        )
        simulated = self.results.data.simulated
        text = make_page("Fusion of record types", simulated=simulated, sections=sections)
        write_page(page, text)
        return page, values


_PRINTED = ("ndcg", "nce", "seconds")
_HEADINGS = (
    *("method", "NDCG@100", "points", "percent", "NCE@100", "points", "percent"),
    *("CPU s a fold", "settled", "paper: NDCG", "paper: NCE", "paper: s"),
)


def report_fusion(results: FusionResults) -> FusionReport:
    """Compare all methods with the baseline and judge the paper's claims."""
    base, seed = results.methods[0], results.plan.seed
    by_name = {one.method.name: one for one in results.methods}
    return FusionReport(
        results=results,
        ndcg={n: measure_distance(base.ndcg, one.ndcg, seed=seed) for n, one in by_name.items()},
        nce={n: measure_distance(base.nce, one.nce, seed=seed) for n, one in by_name.items()},
        verdicts=_verdicts(by_name, seed),
    )


def _verdicts(by_name: Mapping[str, MethodResult], seed: int) -> list[Verdict]:
    orderings = [
        Ordering(
            claim=f"{claim.claim} ({claim.measure.upper()}@100)",
            better=getattr(by_name[claim.better], claim.measure),
            worse=getattr(by_name[claim.worse], claim.measure),
            better_saw=_seen(by_name[claim.better]),
            worse_saw=_seen(by_name[claim.worse]),
        )
        for claim in paper_claims()
        if claim.better in by_name and claim.worse in by_name
    ]
    verdicts = judge_orderings(orderings, seed=seed)
    for claim, slow, quick, times in (
        ("SS trains more than 2 times faster than CA", "ca", "ss", 2.0),
        ("LambdaMART trains slower than CA", "lambdamart", "ca", 1.0),
        ("LambdaMART trains slower than SS", "lambdamart", "ss", 1.0),
    ):
        if slow in by_name and quick in by_name:
            pair = by_name[slow].seconds, by_name[quick].seconds
            seen = _seen(by_name[slow])
            verdicts.append(judge_ratio(claim, *pair, at_least=times, handicap=seen))
    return verdicts


def _title(one: MethodResult) -> str:
    """Return the method's name, with the size of its sample where a budget made it smaller."""
    seen = one.settings.get("queries", one.training)
    if not one.training or seen >= one.training:
        return one.method.title
    return f"{one.method.title} ({seen:,} of {one.training:,} queries)"


def _settled(one: MethodResult) -> str:
    if one.method.origin in ("ranklib", "engine"):
        return "-"  # the one does not say, the other was not trained
    return "yes" if one.settled else "no"


def _seen(one: MethodResult) -> str:
    """Return how few of the training queries a learner saw, if more might have helped."""
    training = one.training or one.ndcg.size * (len(one.seconds) - 1) // len(one.seconds)
    seen = one.settings.get("queries", training)
    enough = one.unit == "queries" and one.settled  # its curve is over queries, and flat
    return "" if seen >= training or enough else f"saw {seen} of {training} training queries"
