"""The experiment on record-specific ranking, as JSON and as a page."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from forebear_lab.evaluation.tables import Cell, Table
from forebear_lab.experiments.data import experiment_table, printed_records
from forebear_lab.experiments.records import DEFAULT, RecordsResult, RecordsResults, TargetCost
from forebear_lab.experiments.report.factor_of_ten import (
    ABOUT_TEN,
    CUSTOMIZED,
    factor_section,
)
from forebear_lab.experiments.report.page import (
    Page,
    Section,
    measure_distance,
    write_json,
    write_page,
)
from forebear_lab.experiments.report.plots import line_plot
from forebear_lab.experiments.report.ranklib import explain_ranklib
from forebear_lab.experiments.verdicts import (
    Ordering,
    Verdict,
    judge_ratio,
    judge_similarity,
    verdict_value,
)

_CONVENTIONS = (
    "NDCG@100 is averaged over ties; ± is 1.96 standard errors over test queries; points and "
    "percent are against CA from its default start, with 95 % intervals by paired bootstrap. An "
    "evaluation of the exact search is a whole line of steps. Seconds are of CPU, on one thread. "
    "RankLib makes 5 restarts, all others one."
)
_HEADINGS = (
    *("learner", "test NDCG@100", "points", "percent", "train", "at start", "evaluations"),
    *("CPU s", "paper: NDCG", "paper: s"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsReport:
    """The report of the experiment, shape by shape."""

    shapes: Sequence[RecordsResults]
    verdicts: Sequence[Verdict]
    seed: int = 1

    def value(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "experiment": "records",
            "shapes": [
                {
                    "name": shape.data.name,
                    "data": shape.data.label,
                    "simulated": shape.data.simulated,
                    "methods": [self._method_value(shape, one) for one in shape.methods],
                    "not_run": [asdict(one) for one in shape.not_run],
                    "targets": {name: asdict(cost) for name, cost in shape.targets.items()},
                }
                for shape in self.shapes
            ],
            "claims": [verdict_value(verdict) for verdict in self.verdicts],
        }

    def table(self, shape: RecordsResults) -> Table:
        """Return the figures of one shape."""
        base, printed = _base(shape), printed_records()
        rows: list[tuple[Cell, ...]] = []
        for one in shape.methods:
            theirs = printed.get((shape.data.name, one.method.name), {})
            rows.append(
                (
                    _title(one),
                    *measure_distance(base.ndcg, one.ndcg, seed=self.seed).shown,
                    one.train,
                    "-" if np.isnan(one.start) else f"{one.start:.4f}",
                    f"{one.evaluations:,.0f}" if one.evaluations else "-",
                    f"{np.mean(one.seconds):.2f}",
                    *(f"{theirs[key]:g}" if theirs else "-" for key in ("ndcg", "seconds")),
                )
            )
        blank = ("-",) * (len(_HEADINGS) - 2)
        rows += [(one.title, f"not run: {one.reason}", *blank) for one in shape.not_run]
        return Table(headings=_HEADINGS, rows=rows)

    def tables(self, shape: RecordsResults) -> list[Table]:
        """Return the tables of one shape that have rows, as they are printed."""
        return [table for table in (self.table(shape), fair_table(shape)) if table.rows]

    def verdict_table(self) -> Table:
        """Return the verdicts on the paper's claims."""
        rows = [(one.claim, one.answer, one.figures) for one in self.verdicts]
        return Table(headings=("the paper's claim", "here", "figures"), rows=rows)

    def page(self) -> Page:
        """Return the page."""
        shapes = [(self._section(shape), _fair(shape)) for shape in self.shapes]
        preview, queries = _preview(self.shapes), self.shapes[0].learned_from
        factor, archive = factor_section(self.shapes), self.shapes[0].data.archive
        return Page(
            title="Record-specific ranking"
            + (f", a preview of {queries} queries" if preview else "")
            + (f" by the engine's clauses: {archive}" if archive else ""),
            simulated=any(shape.data.simulated for shape in self.shapes),
            sections=[
                Section(
                    title="The data, beside the paper's table 4", table=size_table(self.shapes)
                ),
                *(section for pair in shapes for section in pair),
                *([factor] if factor else []),
                Section(title="What the paper claims", table=self.verdict_table()),
            ],
            seed=self.seed,
            preview=preview,
        )

    def write(self, out: Path) -> tuple[Path, Path]:
        """Write page and JSON; return where they are."""
        page, values = out / "records.html", out / "records.json"
        write_json(values, self.value())
        write_page(page, self.page())
        return page, values

    def _section(self, shape: RecordsResults) -> Section:
        description = (
            f"Data: {shape.data.label}. Learned from {shape.learned_from:,} queries, tested on "
            f"{len(shape.data.test.query_ids):,}; {len(shape.data.train.feature_names)} features."
        )
        reason = explain_ranklib(shape, seed=self.seed)
        return Section(
            title=f"{shape.data.name.capitalize()}, beside the paper's table 5",
            sentences=(description, _CONVENTIONS, *([reason] if reason else [])),
            table=self.table(shape),
            plots=_curves(shape),
        )

    def _method_value(self, shape: RecordsResults, one: RecordsResult) -> dict[str, Any]:
        distance = measure_distance(_base(shape).ndcg, one.ndcg, seed=self.seed)
        return {
            "name": one.method.name,
            "title": one.method.title,
            "ndcg": asdict(distance),
            "train": one.train,
            "evaluations": one.evaluations,
            "cpu_seconds": list(one.seconds),
            "ended": one.ended,
            "curve": [asdict(point) for point in one.curve],
            "printed": printed_records().get((shape.data.name, one.method.name), {}),
        }


def report_records(shapes: Sequence[RecordsResults], *, seed: int) -> RecordsReport:
    """Judge the paper's claims on every shape."""
    verdicts = [verdict for shape in shapes for verdict in _verdicts(shape, seed)]
    return RecordsReport(shapes=shapes, verdicts=verdicts, seed=seed)


def _verdicts(shape: RecordsResults, seed: int) -> list[Verdict]:
    by_name = {one.method.name: one for one in shape.methods}
    if not {DEFAULT, CUSTOMIZED} <= by_name.keys():
        return []
    default, customized = by_name[DEFAULT], by_name[CUSTOMIZED]
    where = shape.data.name
    alike = Ordering(
        claim=f"{where}: customized CA ranks like default CA",
        better=customized.ndcg,
        worse=default.ndcg,
    )
    verdicts = [
        judge_similarity(alike, seed=seed),
        judge_ratio(
            f"{where}: customized CA runs about 10 times faster (CPU)",
            default.seconds,
            customized.seconds,
            at_least=ABOUT_TEN,
        ),
        judge_ratio(
            f"{where}: customized CA runs about 10 times faster (evaluations)",
            [default.evaluations],
            [customized.evaluations],
            at_least=ABOUT_TEN,
        ),
    ]
    return [_qualify(verdict, default, customized) for verdict in verdicts]


def _qualify(verdict: Verdict, *pair: RecordsResult) -> Verdict:
    """Leave a claim undecided if one of the learners saw fewer queries than there are."""
    seen = [f"{one.method.title} saw {one.seen}" for one in pair if one.seen]
    if not seen:
        return verdict
    return replace(verdict, answer="undecided", figures="; ".join([verdict.figures, *seen]))


def _title(one: RecordsResult) -> str:
    return f"{one.method.title} ({one.seen})" if one.seen else one.method.title


def size_table(shapes: Sequence[RecordsResults]) -> Table:
    """Return how much data there was, beside what the paper had."""
    rows: list[tuple[Cell, ...]] = []
    for shape in shapes:
        printed = _printed_sizes().get(shape.data.name, {})
        rows.append(
            (
                shape.data.name,
                f"{_training_records(shape):,}",
                f"{shape.learned_from:,}",
                f"{shape.data.test.labels.size:,}",
                str(len(shape.data.train.feature_names)),
                *(f"{printed[key]:,}" if printed else "-" for key in ("samples", "features")),
            )
        )
    headings = ("record type", "training records", "training queries", "test records", "features")
    return Table(headings=(*headings, "paper: samples", "paper: features"), rows=rows)


def _printed_sizes() -> dict[str, dict[str, int]]:
    return {
        row["shape"]: {name: int(row[name]) for name in ("samples", "features")}
        for row in experiment_table("paper_shapes")
    }


def _training_records(shape: RecordsResults) -> int:
    return int(shape.data.train.offsets[shape.learned_from])


def _preview(shapes: Sequence[RecordsResults]) -> str:
    """Return how much smaller than the paper's the simulated data is; nothing if it is not."""
    printed = _printed_sizes()
    smaller = [
        f"{_training_records(shape):,} simulated training records of the {shape.data.name} shape, "
        f"where the paper had {printed[shape.data.name]['samples']:,}"
        for shape in shapes
        if shape.data.simulated and not shape.data.archive and shape.data.name in printed
        if _training_records(shape) < printed[shape.data.name]["samples"]
    ]
    return f"{'; '.join(smaller)}." if smaller else ""


def fair_table(shape: RecordsResults) -> Table:
    """Return what each coordinate ascent costs until it stops, and until the default's value."""
    by_name = {one.method.name: one for one in shape.methods}
    rows: list[tuple[Cell, ...]] = []
    for name, cost in shape.targets.items():
        one = by_name[name]
        ratios = (
            by_name[DEFAULT].evaluations / one.evaluations,
            _mean(by_name[DEFAULT].seconds) / _mean(one.seconds),
        )
        rows.append(
            (
                one.method.title,
                *(f"{one.evaluations:,.0f}", f"{_mean(one.seconds):.3f}"),
                *(f"{ratio:.1f}" for ratio in ratios),
                *_target_cells(cost, shape.targets[DEFAULT]),
                *(_ranklib_ratio(by_name.get(peer), one) for peer in ("ranklib", "ranklib_ca")),
            )
        )
    return Table(headings=_FAIR_HEADINGS, rows=rows)


_FAIR_HEADINGS = (
    *("start", "evaluations", "CPU s", "default's evaluations / these", "default's CPU / this"),
    *("evaluations to target", "CPU s to target", "default's evaluations / these to target"),
    *("default's CPU / this to target", "our RankLib's CPU / this", "RankLib's CPU / this"),
)
_FAIR = (
    "The target is the training NDCG at which CA from its default start ended; seconds and "
    "evaluations to it end with the step that reaches it. A ratio above 1 favors the row. RankLib "
    "makes 5 restarts, and its time includes the start of Java."
)


def _target_cells(cost: TargetCost, default: TargetCost) -> tuple[str, ...]:
    """Return the cost of reaching the target; a learner that stopped below it has none."""
    if cost.reached < 1:
        return f"not reached ({cost.reached:.0%} of seeds)", "-", "-", "-"
    return (
        f"{cost.evaluations:,.0f}",
        f"{cost.seconds:.3f}",
        f"{default.evaluations / cost.evaluations:.1f}",
        f"{default.seconds / max(cost.seconds, 1e-9):.1f}",
    )


def _fair(shape: RecordsResults) -> Section:
    title = f"{shape.data.name.capitalize()}: coordinate ascent compared fairly"
    return Section(title=title, sentences=(_FAIR,), table=fair_table(shape))


def _ranklib_ratio(peer: RecordsResult | None, one: RecordsResult) -> str:
    return "-" if peer is None else f"{_mean(peer.seconds) / _mean(one.seconds):.1f}"


def _mean(seconds: Sequence[float]) -> float:
    return max(sum(seconds) / len(seconds), 1e-9)


def _base(shape: RecordsResults) -> RecordsResult:
    named = {one.method.name: one for one in shape.methods}
    return named.get(DEFAULT, shape.methods[0])


def _curves(shape: RecordsResults) -> tuple[str, ...]:
    """Return the learning curves, the exact search apart: its evaluations are whole lines."""
    lines = {
        one.method.title: [(point.work, point.train) for point in one.curve]
        for one in shape.methods
        if len(one.curve) > 1
    }
    exact = {title: line for title, line in lines.items() if title.startswith("exact")}
    ascents = {title: line for title, line in lines.items() if title not in exact}
    plots = {"coordinate ascent": ascents, "exact search": exact}
    return tuple(
        line_plot(
            f"{shape.data.name}, {name}",
            drawing,
            x_label="evaluations",
            y_label="train NDCG@100",
            log_x=True,
        )
        for name, drawing in plots.items()
        if drawing
    )
