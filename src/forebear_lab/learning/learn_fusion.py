"""From judged lists to a model of fusion: each method, on the scale its scores have.

ss          stochastic search, as published
annealing   the same with an annealed simplex
exact       a slope for each list by logistic regression, then every shift searched exactly
calibrated  each list's scores turned into probabilities, and nothing searched
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Literal

import numpy as np

from forebear.errors import InputError
from forebear.learning.calibrate import (
    LogisticCalibration,
    QueryFacts,
    calibrate_logistic,
    calibrated,
)
from forebear.learning.dataset import FusionDataset
from forebear.learning.fused_scores import FusionWeights
from forebear.learning.history import (
    Progress,
    TrainingHistory,
    TrainingStep,
    join_histories,
    later,
    no_progress,
)
from forebear.learning.stochastic_search import Scale, StochasticSearch
from forebear_lab.learning.annealing import AnnealedSimplex
from forebear_lab.learning.conditions import ConditionedFusion, ConditionedWeights
from forebear_lab.learning.fusion_model import FusionModel, ListFusion
from forebear_lab.learning.fusion_search import ExactFusion
from forebear_lab.learning.isotonic import calibrate_isotonic
from forebear_lab.learning.joint_search import JointSearch
from forebear_lab.learning.score_norms import Norm, normalize_lists, to_bits

FusionMethod = Literal["ss", "exact", "annealing", "calibrated"]
CalibrationKind = Literal["logistic", "isotonic"]
SLOPE_DEPTH = 20  # records of a list that its slope is learned from: those that may come first

Learned = tuple[FusionModel, TrainingHistory]


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionLearner:
    """How a fusion is to be learned."""

    method: FusionMethod = "exact"
    seed: int = 1
    scale: Scale = "weights"  # what the scores are: positive, or bits
    norm: Norm = "none"
    cutoff: int = 100
    slopes: bool = True  # of the exact method: may each list have its own?
    calibration: CalibrationKind = "logistic"
    diversity: float = 0.0  # what NCE counts beside NDCG

    def fit(
        self,
        dataset: FusionDataset,
        facts: QueryFacts | None = None,
        *,
        progress: Progress = no_progress,
    ) -> Learned:
        """Return the model, which tells how it was learned, and the history."""
        self._check(facts)
        model, history = METHODS[self.method](self, dataset, facts, progress)
        before = after = history.last.train
        if self.diversity:
            model, history = self._diversified(model, history, dataset, progress)
            before = after = model.value(dataset, facts, cutoff=self.cutoff)
        if model.shifts_bits:
            model = on_grid(model)
            after = model.value(dataset, facts, cutoff=self.cutoff)
        return model.with_notes(
            method=self.method,
            seed=self.seed,
            measure=f"ndcg@{self.cutoff}",
            train=after,
            evaluations=history.last.evaluations,
            seconds=history.last.seconds,
            ended=history.ended,
            grid_cost=before - after,
            history=[asdict(step) for step in history.steps],
        ), history

    def in_bits(self, dataset: FusionDataset) -> FusionDataset:
        """Return the dataset normalized and in bits."""
        ready = normalize_lists(dataset, self.norm)
        return to_bits(ready) if self.scale == "weights" else ready

    def _check(self, facts: QueryFacts | None) -> None:
        if facts and self.method not in ("exact", "calibrated"):
            raise InputError(
                f"the method {self.method!r} learns nothing of facts",
                hint="learn with exact or calibrated",
            )
        if facts and self.method == "calibrated" and self.calibration == "isotonic":
            raise InputError("an isotonic calibration has no place for facts", hint="use logistic")
        if facts and self.diversity:
            raise InputError("diversity is learned without facts, or facts without diversity")

    def _diversified(
        self,
        model: FusionModel,
        history: TrainingHistory,
        dataset: FusionDataset,
        progress: Progress,
    ) -> Learned:
        start = model.rows(dataset)[0]
        search = JointSearch(weight=self.diversity, cutoff=self.cutoff)
        weights, more = search.fit(model.prepare(dataset), start=start, progress=progress)
        lists = {
            name: replace(one, shift=weights.shifts[name]) for name, one in model.lists.items()
        }
        joined = join_histories([("", history), ("joint", more)])
        return replace(model, lists=lists), joined


def on_grid(model: FusionModel) -> FusionModel:
    """Return a model with its shifts on the grid of 64ths."""
    shifts = FusionWeights(shifts={name: one.shift for name, one in model.lists.items()}).on_grid()
    lists = {name: replace(one, shift=shifts.shifts[name]) for name, one in model.lists.items()}
    return replace(model, lists=lists)


def _learn_ss(
    learner: FusionLearner, dataset: FusionDataset, _: QueryFacts | None, progress: Progress
) -> Learned:
    search = StochasticSearch(seed=learner.seed, scale=learner.scale, cutoff=learner.cutoff)
    weights, history = search.fit(normalize_lists(dataset, learner.norm), progress=progress)
    return _model(learner, ConditionedWeights(shifts=weights)), history


def _learn_annealing(
    learner: FusionLearner, dataset: FusionDataset, _: QueryFacts | None, progress: Progress
) -> Learned:
    search = StochasticSearch(
        seed=learner.seed,
        scale=learner.scale,
        cutoff=learner.cutoff,
        simplex=AnnealedSimplex(seed=learner.seed),
    )
    weights, history = search.fit(normalize_lists(dataset, learner.norm), progress=progress)
    return _model(learner, ConditionedWeights(shifts=weights)), history


def _learn_exact(
    learner: FusionLearner, dataset: FusionDataset, facts: QueryFacts | None, progress: Progress
) -> Learned:
    began = perf_counter()
    ready = learner.in_bits(dataset)
    lines: dict[str, LogisticCalibration] = {}
    if learner.slopes:
        lines = calibrate_logistic(ready.top(SLOPE_DEPTH), facts, seed=learner.seed)
        ready = calibrated(ready, lines)
    prepared = perf_counter() - began
    if facts and lines:
        found, history = _learn_conditions(learner, ready, facts, lines)
    else:
        # With slopes the start is near the end, and a sample would only lead astray.
        search = ExactFusion(seed=learner.seed, cutoff=learner.cutoff)
        search = replace(search, sample=0) if lines else search
        weights, history = search.fit(ready, progress=progress)
        found = ConditionedWeights(shifts=weights)
    parts = [("", later(history, prepared))]
    if facts and not lines:
        conditioned = ConditionedFusion(seed=learner.seed, cutoff=learner.cutoff)
        found, more = conditioned.fit(ready, facts, start=found)
        parts.append(("conditions", more))
    return _model(learner, found, lines), join_histories(parts)


def _learn_conditions(
    learner: FusionLearner,
    ready: FusionDataset,
    facts: QueryFacts,
    lines: Mapping[str, LogisticCalibration],
) -> tuple[ConditionedWeights, TrainingHistory]:
    """Search shifts and conditions from where the regressions of the lists left them."""
    start = ConditionedWeights(
        shifts=FusionWeights(shifts=dict.fromkeys(lines, 0.0)),
        conditions={name: line.conditions for name, line in lines.items()},
    )
    return ConditionedFusion(seed=learner.seed, cutoff=learner.cutoff).fit(
        ready, facts, start=start
    )


def _learn_calibrated(
    learner: FusionLearner, dataset: FusionDataset, facts: QueryFacts | None, progress: Progress
) -> Learned:
    began = perf_counter()
    ready = learner.in_bits(dataset)
    lists: dict[str, ListFusion] = {}
    if learner.calibration == "isotonic":
        for name, steps in calibrate_isotonic(ready).items():
            lists[name] = ListFusion(shift=0.0, calibration=steps)
    else:
        for name, line in calibrate_logistic(ready, facts, seed=learner.seed).items():
            conditions = dict(line.conditions)
            bare = replace(line, conditions={})
            lists[name] = ListFusion(shift=0.0, calibration=bare, conditions=conditions)
    model = FusionModel(scale=learner.scale, norm=learner.norm, lists=lists)
    seconds = perf_counter() - began
    value = model.value(dataset, facts, cutoff=learner.cutoff)
    step = TrainingStep(move=learner.calibration, train=value, evaluations=1, seconds=seconds)
    progress(step)
    return model, TrainingHistory(steps=(step,), ended="tolerance")


LearnsFusion = Callable[[FusionLearner, FusionDataset, QueryFacts | None, Progress], Learned]

METHODS: dict[FusionMethod, LearnsFusion] = {
    "ss": _learn_ss,
    "exact": _learn_exact,
    "annealing": _learn_annealing,
    "calibrated": _learn_calibrated,
}


def _model(
    learner: FusionLearner,
    found: ConditionedWeights,
    lines: Mapping[str, LogisticCalibration] | None = None,
) -> FusionModel:
    """Return the model of these shifts, about 0 on average."""
    middle = float(np.mean(list(found.shifts.shifts.values())))
    known = lines or {}
    lists = {
        name: ListFusion(
            shift=shift - middle,
            # What facts add stands among the conditions, and only there.
            calibration=replace(known[name], conditions={}) if name in known else None,
            conditions=found.conditions.get(name, {}),
        )
        for name, shift in found.shifts.shifts.items()
    }
    return FusionModel(scale=learner.scale, norm=learner.norm, lists=lists)
