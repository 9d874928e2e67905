"""The paper's tables of fusion: every method on the same folds, measured query by query.

Queries are cut into folds; each fold is ranked by what was learned from the others, so every
query is tested once, and methods are compared on the same queries.  Training time is CPU time
on one thread.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from forebear import __version__
from forebear.learning.dataset import FusionDataset
from forebear.learning.trial import k_folds
from forebear_lab.experiments.finished_parts import FinishedParts, Part
from forebear_lab.experiments.fuser import CurvePoint, Row, has_settled
from forebear_lab.experiments.fusion_methods import Method, choose_methods
from forebear_lab.experiments.measured import MeasuredLists
from forebear_lab.experiments.one_thread import one_thread
from forebear_lab.experiments.ranking_data import FusionData
from forebear_lab.experiments.trade_offs import sweep_trade_offs

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionPlan:
    """What is to be compared, and how."""

    methods: Sequence[str] = ()  # none: all
    folds: int = 3
    seed: int = 1
    sample: int = 300  # queries that slow learners see; quicker ones see four times as many


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MethodResult:
    """What one method came to, over all folds."""

    method: Method
    ndcg: Row  # of each query, in the order of the folds
    nce: Row
    seconds: tuple[float, ...]  # of CPU, by fold
    curves: tuple[tuple[CurvePoint, ...], ...]
    unit: str
    settings: dict[str, Any]
    weights: dict[str, float]  # of the first fold

    @property
    def settled(self) -> bool:
        """Say whether every training had come to its end."""
        return all(has_settled(curve) for curve in self.curves)


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionResults:
    """All methods on the same queries."""

    data: FusionData
    plan: FusionPlan
    query_ids: tuple[str, ...]  # in the order of the folds
    methods: tuple[MethodResult, ...]  # the baseline first
    trade_offs: tuple[dict[str, float], ...]  # by decay


def run_fusion(data: FusionData, plan: FusionPlan, out: Path, *, tell: Tell) -> FusionResults:
    """Learn and measure everything that is not finished yet."""
    methods = choose_methods(plan.methods)
    parts, dataset = FinishedParts(out), data.dataset
    folds = k_folds(dataset.query_ids, plan.folds, plan.seed)
    key = f"{__version__} {data.digest} {plan.folds} {plan.seed}"
    found: dict[str, list[Part]] = {method.name: [] for method in methods}
    swept: Part = {}
    for number, (kept, held) in enumerate(folds):
        fold = _Fold(dataset.take(kept), dataset.take(held), plan)
        fold.warm_up()
        for method in methods:
            name, settings = f"fold{number}_{method.name}", f"{key} {plan.sample}"
            part, old = parts.get(name, settings, partial(fold.measure, method))
            found[method.name].append(part)
            tell(_told(number, len(folds), method, part, old))
        if number == 0:
            swept, _ = parts.get("trade_offs", key, fold.sweep)
    return FusionResults(
        data=data,
        plan=plan,
        query_ids=tuple(dataset.query_ids[query] for _, held in folds for query in held),
        methods=tuple(_join(method, found[method.name]) for method in methods),
        trade_offs=tuple(swept["trade_offs"]),
    )


class _Fold:
    """Queries to learn from and queries to test on."""

    def __init__(self, train: FusionDataset, test: FusionDataset, plan: FusionPlan) -> None:
        self._train, self._test, self._plan = train, test, plan
        self._measured = MeasuredLists(test)

    def warm_up(self) -> None:
        """Have everything compiled before anything is timed."""
        few = self._train.take(np.arange(min(20, len(self._train.query_ids))))
        for method in choose_methods(["ss", "exact_slopes", "ca"]):
            self._measured.ndcg(method.make(1, 20).fit(few).score(self._test))

    def measure(self, method: Method) -> Part:
        """Learn by one method and measure it."""
        with one_thread():
            began = process_time()
            fitted = method.make(self._plan.seed, self._plan.sample).fit(self._train)
            seconds = process_time() - began
            scores = fitted.score(self._test)
        return {
            "ndcg": self._measured.ndcg(scores).round(9).tolist(),
            "nce": self._measured.nce(scores).round(9).tolist(),
            "seconds": seconds,
            "curve": [asdict(point) for point in fitted.curve],
            "unit": fitted.unit,
            "settings": dict(fitted.settings),
            "weights": dict(fitted.weights),
        }

    def sweep(self) -> Part:
        """Trade relevance for diversity by decays."""
        return {"trade_offs": sweep_trade_offs(self._train, self._test, seed=self._plan.seed)}


def _join(method: Method, parts: Sequence[Part]) -> MethodResult:
    return MethodResult(
        method=method,
        ndcg=np.concatenate([np.array(part["ndcg"], np.float64) for part in parts]),
        nce=np.concatenate([np.array(part["nce"], np.float64) for part in parts]),
        seconds=tuple(part["seconds"] for part in parts),
        curves=tuple(tuple(CurvePoint(**point) for point in part["curve"]) for part in parts),
        unit=parts[0]["unit"],
        settings=parts[0]["settings"],
        weights=parts[0]["weights"],
    )


def _told(number: int, folds: int, method: Method, part: Part, old: bool) -> str:
    value = float(np.mean(part["ndcg"]))
    what = "kept from before" if old else f"{part['seconds']:.1f} s"
    return f"fold {number + 1} of {folds}: {method.title}: NDCG {value:.4f} ({what})"
