"""How are models learned from files?  Weights by a method and its seeds, fusion by its method.

Weights of features are learned by exact line search or RankLib's steps, with several seeds if
wanted, and then put in bits, on the grid of 64ths.  A fusion is learned by one of:

ss          stochastic search, as published
annealing   the same with an annealed simplex
exact       a slope for each list by logistic regression, then every shift searched exactly
calibrated  each list's scores turned into probabilities, and nothing searched
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Literal, TypeVar

import numpy as np

from forebear.errors import InputError
from forebear.kernels.ndcg import Floats
from forebear.learning.calibrate import (
    FactTable,
    LogisticCalibration,
    calibrate_logistic,
    calibrated,
    fit_slope,
)
from forebear.learning.coordinate_ascent import (
    ClauseWeights,
    CoordinateAscent,
    mean_ndcg,
    ndcg_of_scores,
)
from forebear.learning.dataset import (
    FusionDataset,
    Progress,
    RankingDataset,
    TrainingHistory,
    TrainingStep,
    join_histories,
    later,
    no_progress,
)
from forebear.learning.starts import Signs
from forebear.learning.stochastic_search import FusionWeights, Scale, StochasticSearch
from forebear.search.model import UNITS_PER_BIT, to_units
from forebear_lab.learning.ascent import ExactAscent
from forebear_lab.learning.calibration import (
    ConditionedFusion,
    ConditionedWeights,
    Norm,
    calibrate_isotonic,
    normalize_lists,
    to_bits,
)
from forebear_lab.learning.diversity import JointSearch
from forebear_lab.learning.fusion_search import ExactFusion
from forebear_lab.learning.models import FusionModel, LinearModel, ListFusion
from forebear_lab.learning.simplexes import AnnealedSimplex

FusionMethod = Literal["ss", "exact", "annealing", "calibrated"]
CalibrationKind = Literal["logistic", "isotonic"]
WeightMethod = Literal["exact", "ranklib"]
SLOPE_DEPTH = 20  # records of a list that its slope is learned from: those that may rank first

Learned = tuple[FusionModel, TrainingHistory]
Learner = TypeVar("Learner", CoordinateAscent, ExactAscent)


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionLearner:
    """The settings for learning a fusion."""

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
        facts: FactTable | None = None,
        *,
        progress: Progress = no_progress,
    ) -> Learned:
        """Return the model, with notes on how it was learned, and the history."""
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

    def _check(self, facts: FactTable | None) -> None:
        if facts and self.method not in ("exact", "calibrated"):
            raise InputError(
                f"the method {self.method!r} learns nothing from facts",
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
    learner: FusionLearner, dataset: FusionDataset, _: FactTable | None, progress: Progress
) -> Learned:
    search = StochasticSearch(seed=learner.seed, scale=learner.scale, cutoff=learner.cutoff)
    weights, history = search.fit(normalize_lists(dataset, learner.norm), progress=progress)
    return _centered_model(learner, ConditionedWeights(shifts=weights)), history


def _learn_annealing(
    learner: FusionLearner, dataset: FusionDataset, _: FactTable | None, progress: Progress
) -> Learned:
    search = StochasticSearch(
        seed=learner.seed,
        scale=learner.scale,
        cutoff=learner.cutoff,
        simplex=AnnealedSimplex(seed=learner.seed),
    )
    weights, history = search.fit(normalize_lists(dataset, learner.norm), progress=progress)
    return _centered_model(learner, ConditionedWeights(shifts=weights)), history


def _learn_exact(
    learner: FusionLearner, dataset: FusionDataset, facts: FactTable | None, progress: Progress
) -> Learned:
    began = perf_counter()
    ready = learner.in_bits(dataset)
    lines: dict[str, LogisticCalibration] = {}
    if learner.slopes:
        lines = calibrate_logistic(ready.top(SLOPE_DEPTH), facts, seed=learner.seed)
        ready = calibrated(ready, lines)
    prepared = perf_counter() - began
    if facts and lines:
        learned, history = _learn_conditions(learner, ready, facts, lines)
    else:
        # With slopes the start is near the end, and a sample would only mislead.
        search = ExactFusion(seed=learner.seed, cutoff=learner.cutoff)
        search = replace(search, sample=0) if lines else search
        weights, history = search.fit(ready, progress=progress)
        learned = ConditionedWeights(shifts=weights)
    parts = [("", later(history, prepared))]
    if facts and not lines:
        conditioned = ConditionedFusion(seed=learner.seed, cutoff=learner.cutoff)
        learned, more = conditioned.fit(ready, facts, start=learned)
        parts.append(("conditions", more))
    return _centered_model(learner, learned, lines), join_histories(parts)


def _learn_conditions(
    learner: FusionLearner,
    ready: FusionDataset,
    facts: FactTable,
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
    learner: FusionLearner, dataset: FusionDataset, facts: FactTable | None, progress: Progress
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


LearnsFusion = Callable[[FusionLearner, FusionDataset, FactTable | None, Progress], Learned]

METHODS: dict[FusionMethod, LearnsFusion] = {
    "ss": _learn_ss,
    "exact": _learn_exact,
    "annealing": _learn_annealing,
    "calibrated": _learn_calibrated,
}


def _centered_model(
    learner: FusionLearner,
    learned: ConditionedWeights,
    lines: Mapping[str, LogisticCalibration] | None = None,
) -> FusionModel:
    """Return the model of these shifts, about 0 on average."""
    middle = float(np.mean(list(learned.shifts.shifts.values())))
    calibrations = lines or {}
    lists = {
        name: ListFusion(
            shift=shift - middle,
            # What facts add is in the model's conditions, and only there.
            calibration=replace(calibrations[name], conditions={})
            if name in calibrations
            else None,
            conditions=learned.conditions.get(name, {}),
        )
        for name, shift in learned.shifts.shifts.items()
    }
    return FusionModel(scale=learner.scale, norm=learner.norm, lists=lists)


def fit_restarts(
    learner: Learner,
    seeds: Sequence[int],
    dataset: RankingDataset,
    *,
    signs: Signs | None = None,
    validation: RankingDataset | None = None,
    progress: Progress = no_progress,
) -> tuple[ClauseWeights, TrainingHistory]:
    """Return the best weights of any seed, and the history of all trainings.

    Coordinate ascent ends in another local maximum for every order of features; the validation
    queries decide which is best, or without any the training queries.
    """
    if not seeds:
        raise InputError("no seed was given to start from")
    candidates, parts = [], []
    for seed in seeds:
        weights, history = replace(learner, seed=seed).fit(
            dataset, signs=signs, validation=validation, progress=progress
        )
        judged = mean_ndcg(validation or dataset, weights.values, cutoff=learner.cutoff)
        candidates.append((judged, weights))
        parts.append((f"seed {seed}" if len(seeds) > 1 else "", history))
    _, best = max(candidates, key=lambda one: one[0])
    return best, join_histories(parts)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GridStep:
    """Weights in bits on the grid of 64ths, and mean NDCG before and after rounding.

    Learned weights have no scale; a logistic slope gives them one, and the grid makes their sums
    exact.  Rounding may tie records that had different scores.
    """

    bits: Floats
    level: float  # what is added to a record's sum of bits for the log2 odds
    before: float
    after: float

    @property
    def cost(self) -> float:
        """Return how much of the mean NDCG was lost; below 0 if some was gained."""
        return self.before - self.after


def step_onto_grid(
    dataset: RankingDataset, weights: Floats, *, cutoff: int = 100
) -> GridStep | None:
    """Return the weights in bits; None if higher scores were not likelier to be right."""
    scores = dataset.features @ weights
    line = fit_slope(scores, dataset.labels)
    if line.slope <= 0:
        return None
    units = [to_units(bits) for bits in (weights * line.slope).tolist()]
    bits = np.array(units, np.float64) / UNITS_PER_BIT
    return GridStep(
        bits=bits,
        level=to_units(line.intercept) / UNITS_PER_BIT,
        before=ndcg_of_scores(dataset, scores, cutoff=cutoff),
        after=ndcg_of_scores(dataset, dataset.features @ bits, cutoff=cutoff),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightLearner:
    """The settings for learning weights."""

    method: WeightMethod = "exact"
    start: str = "softmax"
    seeds: Sequence[int] = (1,)  # one training for each; the best is returned
    cutoff: int = 100

    def fit(
        self,
        train: RankingDataset,
        *,
        validation: RankingDataset | None = None,
        progress: Progress = no_progress,
    ) -> tuple[LinearModel, TrainingHistory]:
        """Return the model, with notes on how it was learned, and the history."""
        weights, history = self._fit(train, validation, progress)
        grid = step_onto_grid(train, weights.values, cutoff=self.cutoff)
        model = LinearModel(
            weights=weights.as_dict(),
            bits=dict(zip(weights.names, grid.bits.tolist(), strict=True)) if grid else {},
            level=grid.level if grid else 0.0,
        )
        return model.with_notes(
            method=self.method,
            start=self.start,
            seeds=list(self.seeds),
            measure=f"ndcg@{self.cutoff}",
            train=mean_ndcg(train, weights.values, cutoff=self.cutoff),
            evaluations=history.last.evaluations,
            seconds=history.last.seconds,
            ended=history.ended,
            grid_cost=grid.cost if grid else None,
            history=[asdict(step) for step in history.steps],
        ), history

    def _fit(
        self, train: RankingDataset, validation: RankingDataset | None, progress: Progress
    ) -> tuple[ClauseWeights, TrainingHistory]:
        seed = self.seeds[0] if self.seeds else 0
        if self.method == "exact":
            exact = ExactAscent(seed=seed, start=self.start, cutoff=self.cutoff)
            return fit_restarts(exact, self.seeds, train, validation=validation, progress=progress)
        stepping = CoordinateAscent(seed=seed, start=self.start, cutoff=self.cutoff)
        return fit_restarts(stepping, self.seeds, train, validation=validation, progress=progress)
