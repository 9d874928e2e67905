"""The plots and sentences of the fusion experiment's page."""

from collections.abc import Mapping

import numpy as np

from forebear_lab.evaluation.tables import Table
from forebear_lab.experiments.fusion import FusionResults
from forebear_lab.experiments.fusion_methods import BASELINE
from forebear_lab.experiments.report.differences import Distance
from forebear_lab.experiments.report.page import Section
from forebear_lab.experiments.report.plots import category_plot, line_plot, point_plot

Distances = Mapping[str, Distance]

POINTS = (
    "Points are 100 times the difference of means; percent is relative to the baseline. The "
    "paper's column headed % holds points."
)
CONVENTIONS = (
    "NDCG@100 is averaged over ties, NCE@100 is by the paper's definition with one type a list. "
    "± is 1.96 standard errors; intervals in brackets are 95 %, paired bootstrap over queries."
)
LINEAR = ("ranksvm", "ca", "ss", "exact", "wu", "listnet")  # whose weights are shown together


def fusion_sections(
    results: FusionResults, *, figures: Table, verdicts: Table, ndcg: Distances, nce: Distances
) -> list[Section]:
    """Return the page's sections."""
    plan = results.plan
    said = (
        f"Data: {results.data.label}. {len(results.query_ids)} queries in {plan.folds} folds, "
        f"seed {plan.seed}. LambdaMART, MART, RandomForest, RankNet and RankBoost see at most "
        f"{plan.sample} training queries, AdaRank, ListNet, the sweeps and the regression "
        f"{4 * plan.sample}, LambdaMerge {plan.sample // 2}; RankSVM 2,000 and SS's start 1,000; "
        "all else sees all. So training times of learners that saw fewer queries are flattered."
    )
    told, front = (said, CONVENTIONS, POINTS), _front(results, ndcg, nce)
    settings = [
        (one.method.title, ", ".join(f"{name} {value}" for name, value in one.settings.items()))
        for one in results.methods
        if one.settings
    ]
    return [
        Section(title="Relevance, diversity, time", sentences=told, table=figures),
        Section(title="What the paper claims", table=verdicts),
        Section(title="Did every learner converge?", sentences=(_CURVES,), plots=_curves(results)),
        Section(title="Weights", sentences=(_WEIGHTS,), plots=_weights(results)),
        Section(title="Relevance and diversity", sentences=(_FRONT,), plots=front),
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
        curve = one.curves[0]
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
