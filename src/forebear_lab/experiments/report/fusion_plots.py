"""The plots of a fusion experiment: learning curves, weights, and relevance against diversity."""

from collections.abc import Mapping

import numpy as np

from forebear_lab.experiments.fusion import FusionResults
from forebear_lab.experiments.methods import BASELINE
from forebear_lab.experiments.report.page import Distance
from forebear_lab.experiments.report.plots import category_plot, line_plot, point_plot

Distances = Mapping[str, Distance]

LINEAR = ("ranksvm", "ca", "ss", "exact", "wu", "listnet")  # whose weights are shown together
CURVES = (
    "NDCG@100 of training queries as training went on (first fold); where queries were held out "
    "from training to choose when to stop, theirs too. Settled: the last fifth of the work gained "
    "at most 0.005."
)
WEIGHTS = "log2 of the weight of each list, about the method's mean (first fold)."
METHODS = "Each method above the baseline by its two measures."
FRONT = (
    "Each method by its two measures; the line is the Pareto front of a decay after fusion by "
    "exact shifts and slopes, swept (first fold): no other decay gives more of both."
)


def plot_curves(results: FusionResults) -> tuple[str, ...]:
    """Return the learning curve of each learner that has one."""
    plots = []
    for one in results.methods:
        curve = one.curves[0] if one.curves else ()
        if len(curve) > 1:
            lines = {"train": [(point.work, point.train) for point in curve]}
            held = [(point.work, point.held) for point in curve if point.held is not None]
            lines |= {"held out": held} if held else {}
            plots.append(line_plot(one.method.title, lines, x_label=one.unit, y_label="NDCG@100"))
    return tuple(plots)


def plot_weights(results: FusionResults) -> tuple[str, ...]:
    """Return the weights of the linear methods, list by list."""
    rows = {}
    for one in results.methods:
        values = np.array(list(one.weights.values()))
        if one.method.name in LINEAR and values.size and (values > 0).all():
            bits = np.log2(values)
            rows[one.method.title] = (bits - bits.mean()).tolist()
    names = results.data.dataset.list_names
    return (category_plot("Weights by list", names, rows, y_label="bits"),) if rows else ()


def plot_front(results: FusionResults, ndcg: Distances, nce: Distances) -> tuple[str, ...]:
    """Return NCE against NDCG, with the line of the decay if it was swept."""
    least = ndcg[BASELINE].mean
    whole = [one.method.name for one in results.methods if not one.folds]  # on the same queries
    points = {name: (ndcg[name].mean, nce[name].mean) for name in whole if ndcg[name].mean >= least}
    line = [(one["ndcg"], one["nce"]) for one in results.trade_offs if one["front"]]
    title = "Pareto front of the decay, and methods above the baseline"
    title = title if line else "Methods above the baseline"
    return (point_plot(title, points, line, x_label="NDCG@100", y_label="NCE@100"),)
