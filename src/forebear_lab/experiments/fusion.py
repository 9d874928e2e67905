"""The paper's tables of fusion: every method on the same folds, measured query by query.

Queries are cut into folds; each fold is ranked by what was learned from the others, so every
query is tested once, and methods are compared on the same queries.  Training time is CPU time
on one thread.  A method that cannot run here, such as RankLib's without Java, is listed with the
reason.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from forebear import __version__
from forebear.kernels.ndcg import Floats, Integers
from forebear.learning.dataset import FusionDataset
from forebear.learning.measures import k_folds
from forebear_lab.baselines.fuser import CurvePoint, MeasuredLists, has_settled, scale_of
from forebear_lab.baselines.maven import LimitError, Limits
from forebear_lab.experiments.data import FusionData
from forebear_lab.experiments.methods import ENGINE, Method, choose_methods
from forebear_lab.experiments.parts import (
    FinishedParts,
    Part,
    UnrunMethod,
    get_or_reason,
    one_thread,
)
from forebear_lab.experiments.search_settings import search_variants
from forebear_lab.experiments.varied_lists import measure_variety
from forebear_lab.learning.diversity import FusedLists, pareto_front, sweep_decays
from forebear_lab.learning.learn import FusionLearner

Progress = Callable[[str], None]

DECAYS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 100.0)  # bits


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionPlan:
    """What is to be compared, and how."""

    methods: Sequence[str] = ()  # none: all
    folds: int = 3
    seed: int = 1
    sample: int = 300  # queries that slow learners see; quicker ones see four times as many
    ranklib: Limits | None = None  # of RankLib's runs; None: without RankLib
    variety: bool = False  # also the measures of `varied_lists`
    sensitivity: bool = False  # is stochastic search run with other settings too?


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MethodResult:
    """The result of one method over all folds."""

    method: Method
    ndcg: Floats  # of each query, in the order of the folds
    nce: Floats
    seconds: tuple[float, ...]  # of CPU, by fold
    curves: tuple[tuple[CurvePoint, ...], ...]
    unit: str
    settings: dict[str, Any]
    weights: dict[str, float]  # of the first fold
    training: int = 0  # queries there were to learn from; 0: as the folds say
    variety: dict[str, Floats] = field(default_factory=dict)  # of each query, if measured

    @property
    def settled(self) -> bool:
        """Return whether every training had converged."""
        return all(has_settled(curve) for curve in self.curves)


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionResults:
    """All methods on the same queries."""

    data: FusionData
    plan: FusionPlan
    query_ids: tuple[str, ...]  # in the order of the folds
    methods: tuple[MethodResult, ...]  # the baseline first, the engine's own model last
    trade_offs: tuple[dict[str, float], ...]  # by decay
    not_run: tuple[UnrunMethod, ...] = ()
    engine_trade_offs: tuple[dict[str, float], ...] = ()  # of the engine's own model
    variants: tuple[MethodResult, ...] = ()  # of stochastic search


def run_fusion(
    data: FusionData, plan: FusionPlan, out: Path, *, progress: Progress
) -> FusionResults:
    """Learn and measure everything that is not finished yet."""
    chosen = choose_methods(plan.methods, plan.ranklib)
    variants = search_variants(len(data.dataset.list_names)) if plan.sensitivity else ()
    methods = (*chosen, *variants)
    parts, dataset = FinishedParts(out), data.dataset
    folds = k_folds(data.groups or dataset.query_ids, plan.folds, plan.seed)
    key = f"{__version__} {data.digest} {plan.folds} {plan.seed}"
    prefix = "variety_" if plan.variety else ""
    by_method: dict[str, list[Part]] = {method.name: [] for method in methods}
    not_run: dict[str, UnrunMethod] = {}
    swept: Part = {}
    for number, (learn_from, held) in enumerate(folds):
        fold = Fold(dataset.take(learn_from), dataset.take(held), plan, data.record_types)
        fold.warm_up()
        for method in methods:
            if method.name in not_run:
                continue
            settings = f"{key} {plan.sample}"
            if method.origin == "ranklib":
                settings += f" {plan.ranklib}"
            name = f"{prefix}fold{number}_{method.name}"
            part, is_saved = get_or_reason(parts, name, settings, partial(fold.measure, method))
            where = f"fold {number + 1} of {len(folds)}: {method.title}"
            if "not_run" in part:
                reason = part["not_run"]
                not_run[method.name] = UnrunMethod(
                    name=method.name, title=method.title, reason=reason
                )
                progress(f"{where}: not run: {reason}")
                continue
            by_method[method.name].append(part)
            cost = "kept from before" if is_saved else f"{part['seconds']:.1f} s"
            progress(f"{where}: NDCG {float(np.mean(part['ndcg'])):.4f} ({cost})")
        if number == 0:
            swept, _ = parts.get("trade_offs", key, fold.sweep)
    order = np.concatenate([held for _, held in folds])
    results = [join_folds(one, by_method[one.name]) for one in chosen if one.name not in not_run]
    if data.engine_scores is not None:
        results.append(_measure_engine(data, data.engine_scores, order, variety=plan.variety))
    return FusionResults(
        data=data,
        plan=plan,
        query_ids=tuple(dataset.query_ids[query] for query in order),
        methods=tuple(results),
        variants=tuple(join_folds(method, by_method[method.name]) for method in variants),
        trade_offs=tuple(swept["trade_offs"]),
        engine_trade_offs=_sweep_engine(data),
        not_run=tuple(not_run.values()),
    )


def _measure_engine(
    data: FusionData, scores: Floats, order: Integers, *, variety: bool
) -> MethodResult:
    """Measure the lists as the engine's own model fuses them; it learns nothing here."""
    measured = MeasuredLists(data.dataset, types=data.record_types)
    varied = measure_variety(measured, scores) if variety else {}
    return MethodResult(
        method=ENGINE,
        ndcg=measured.ndcg(scores)[order],
        nce=measured.nce(scores)[order],
        seconds=(),
        curves=(),
        unit="",
        settings={},
        weights={},
        variety={name: values[order] for name, values in varied.items()},
    )


def _sweep_engine(data: FusionData) -> tuple[dict[str, float], ...]:
    """Return what each decay gives to the lists as the engine's own model fuses them."""
    if data.engine_scores is None:
        return ()
    dataset = data.dataset
    cells = np.repeat(np.arange(dataset.offsets.size - 1), np.diff(dataset.offsets))
    order = np.lexsort((-data.engine_scores, cells))  # by the engine, not by other scores
    lists = replace(dataset, scores=data.engine_scores[order], labels=dataset.labels[order])
    return tuple(
        _trade_off_values(FusedLists(lists, ideal="paper"), np.zeros(len(dataset.list_names)))
    )


class Fold:
    """Queries to learn from and queries to test on."""

    def __init__(
        self,
        train: FusionDataset,
        test: FusionDataset,
        plan: FusionPlan,
        types: Sequence[str] = (),  # of the lists, which else are types themselves
    ) -> None:
        self._train, self._test, self._plan = train, test, plan
        self._measured = MeasuredLists(test, types=types)

    def warm_up(self) -> None:
        """Compile everything before anything is timed."""
        few = self._train.take(np.arange(min(20, len(self._train.query_ids))))
        for method in choose_methods(["ss", "exact_slopes", "ca"]):
            self._measured.ndcg(method.make(1, 20).fit(few).score(self._test))

    def measure(self, method: Method) -> Part:
        """Learn by one method and measure it."""
        with one_thread():
            began = process_time()
            try:
                fitted = method.make(self._plan.seed, self._plan.sample).fit(self._train)
            except LimitError as error:  # saved: it would exceed the same limit again
                return {"not_run": str(error)}
            seconds = process_time() - began
            scores = fitted.score(self._test)
        varied = measure_variety(self._measured, scores) if self._plan.variety else {}
        return {
            "ndcg": self._measured.ndcg(scores).round(9).tolist(),
            "nce": self._measured.nce(scores).round(9).tolist(),
            "seconds": seconds if fitted.seconds is None else fitted.seconds,
            "curve": [asdict(point) for point in fitted.curve],
            "unit": fitted.unit,
            "settings": dict(fitted.settings),
            "weights": dict(fitted.weights),
            "variety": {name: values.round(9).tolist() for name, values in varied.items()},
        }

    def sweep(self) -> Part:
        """Trade relevance for diversity by decays."""
        return {"trade_offs": sweep_trade_offs(self._train, self._test, seed=self._plan.seed)}


def join_folds(method: Method, parts: Sequence[Part]) -> MethodResult:
    """Return the result of one method from its parts, one per fold."""
    return MethodResult(
        method=method,
        ndcg=np.concatenate([np.array(part["ndcg"], np.float64) for part in parts]),
        nce=np.concatenate([np.array(part["nce"], np.float64) for part in parts]),
        seconds=tuple(part["seconds"] for part in parts),
        curves=tuple(tuple(CurvePoint(**point) for point in part["curve"]) for part in parts),
        unit=parts[0]["unit"],
        settings=parts[0]["settings"],
        weights=parts[0]["weights"],
        training=parts[0].get("training", 0),
        variety={
            name: np.concatenate([np.array(part["variety"][name], np.float64) for part in parts])
            for name in parts[0].get("variety", {})
        },
    )


def sweep_trade_offs(
    train: FusionDataset, test: FusionDataset, *, seed: int
) -> list[dict[str, float]]:
    """Return NDCG and NCE of the test queries for each decay, and whether it is on the front.

    The lists are fused by the exact method; then every record taken from a list lowers the rest of
    it by some bits.
    """
    model, _ = FusionLearner(method="exact", seed=seed, scale=scale_of(train)).fit(train)
    lists = FusedLists(model.prepare(test), ideal="paper")
    return _trade_off_values(lists, model.rows(test))


def _trade_off_values(lists: FusedLists, shifts: Floats) -> list[dict[str, float]]:
    swept = sweep_decays(lists, shifts, DECAYS)
    front = set(pareto_front(swept))
    return [
        {"decay": one.decay, "ndcg": one.ndcg, "nce": one.nce, "front": float(one in front)}
        for one in swept
    ]
