"""The settings of stochastic search and the readings of `max_stagnation`, as tables and a plot."""

from collections.abc import Sequence

import numpy as np

from forebear_lab.baselines.fuser import CurvePoint
from forebear_lab.evaluation.tables import Cell, Table
from forebear_lab.experiments.fusion import FusionResults, MethodResult
from forebear_lab.experiments.report.page import Section
from forebear_lab.experiments.report.plots import line_plot
from forebear_lab.experiments.search_settings import READING_PREFIX, SETTING_PREFIX
from forebear_lab.experiments.verdicts import difference_interval

MARKS = (50, 100, 200, 500, 1000, 2000, 5000)  # evaluations
_SETTINGS = (
    "Each setting of stochastic search halved and doubled, the others as in the paper. The "
    "difference is from the paper's settings, with its 95 % interval. Means over folds."
)
_READINGS = (
    "What ten without improvement may mean, and the training NDCG reached after some evaluations "
    "(first fold). The paper's times, 1,172 s for stochastic search and 2,604 s for coordinate "
    "ascent (CA), mean thousands of evaluations, and a ratio of 0.45."
)


def settings_table(results: FusionResults) -> Table:
    """Return the figures of each setting, the paper's first."""
    chosen = _variants(results, SETTING_PREFIX)
    rows: list[tuple[Cell, ...]] = []
    for one in chosen:
        interval = difference_interval(chosen[0].ndcg, one.ndcg, seed=results.plan.seed)
        shown = "{:+.4f} [{:+.4f}, {:+.4f}]".format(*interval)
        rows.append((one.method.title, *_figures(one), shown))
    headings = ("settings", "test NDCG", "train NDCG", "evaluations", "CPU s", "difference")
    return Table(headings=headings, rows=rows)


def readings_table(results: FusionResults) -> Table:
    """Return the figures of each reading, its time beside CA's, and its value after some work."""
    ascent = next((one for one in results.methods if one.method.name == "ca"), None)
    rows: list[tuple[Cell, ...]] = [
        (
            one.method.title,
            *_figures(one),
            f"{np.mean(one.seconds) / np.mean(ascent.seconds):.2f}" if ascent else "-",
            *(_value_at(one.curves[0], mark) for mark in MARKS),
        )
        for one in _variants(results, READING_PREFIX)
    ]
    headings = ("max_stagnation is", "test NDCG", "train NDCG", "evaluations", "CPU s", "/ CA's")
    return Table(headings=(*headings, *(f"at {mark}" for mark in MARKS)), rows=rows)


def settings_sections(results: FusionResults) -> list[Section]:
    """Return both tables as sections of a page; none without variants."""
    if not results.variants:
        return []
    lines = {
        one.method.title: [(point.work, point.train) for point in one.curves[0]]
        for one in _variants(results, READING_PREFIX)
    }
    plot = line_plot(
        "NDCG by evaluations",
        lines,
        x_label="evaluations",
        y_label="train NDCG@100",
        log_x=True,
    )
    return [
        Section(
            title="Settings of stochastic search",
            sentences=(_SETTINGS,),
            table=settings_table(results),
        ),
        Section(
            title="Readings of max_stagnation",
            sentences=(_READINGS,),
            table=readings_table(results),
            plots=(plot,),
        ),
    ]


def _variants(results: FusionResults, prefix: str) -> list[MethodResult]:
    return [one for one in results.variants if one.method.name.startswith(prefix)]


def _figures(one: MethodResult) -> tuple[Cell, ...]:
    work = np.mean([curve[-1].work for curve in one.curves])
    train = np.mean([max(point.train for point in curve) for curve in one.curves])
    return (
        float(one.ndcg.mean()),
        float(train),
        f"{work:,.0f}",
        f"{np.mean(one.seconds):.2f}",
    )


def _value_at(curve: Sequence[CurvePoint], work: int) -> str:
    """Return the best value within some evaluations; a dash where the search had ended."""
    reached = [point.train for point in curve if point.work <= work]
    return f"{max(reached):.4f}" if reached and work <= 2 * curve[-1].work else "-"
