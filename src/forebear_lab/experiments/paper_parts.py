"""How is one part of the experiment at the paper's size measured, within its time?

A learner gets the largest common random subset of the training queries that fits its budget; the
part says how many that were.

Instead of ten thousand values a part of a fusion holds the means of 200 random groups of test
queries.  Means, intervals and paired tests over groups agree with those over queries, and a file
stays small.
"""

from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset, RankingDataset
from forebear_lab.baselines.fuser import sample_queries
from forebear_lab.baselines.maven import LimitError, Limits
from forebear_lab.experiments.budget import (
    SMALLEST,
    Budget,
    Compute,
    measure_within,
    run_within,
    sample_sizes,
)
from forebear_lab.experiments.fusion import Fold, FusionPlan
from forebear_lab.experiments.methods import Method
from forebear_lab.experiments.parts import Part, one_thread
from forebear_lab.experiments.record_methods import RecordsMethod
from forebear_lab.experiments.records import measure_records, reach_target

GROUPS = 200
TRIAL_QUERIES = 20  # scored where only the time of training matters


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLimits:
    """What the learner of a part may use, and its seed."""

    seed: int = 1
    budget: Budget = field(default_factory=Budget)
    smallest: int = SMALLEST  # training queries
    ranklib: Limits | None = None

    def budget_of(self, is_ranklib: bool) -> Budget:
        """Return the budget of our learners or of RankLib's."""
        if is_ranklib and self.ranklib:
            return replace(self.budget, seconds=self.ranklib.seconds)
        return self.budget


def measure_fusion_part(
    method: Method, train: FusionDataset, test: FusionDataset, limits: PartLimits
) -> Part:
    """Learn fusion by one method and measure it on the test queries."""
    compute = partial(_fit_fusion, method, train, test, limits.seed)
    budget = limits.budget_of(method.origin == "ranklib")
    value = _measure_largest(compute, len(train.query_ids), budget, limits.smallest)
    if value.get("size", 0) < value.get("training", 0):
        value["settings"]["queries"] = value["size"]
    return value


def measure_records_part(
    method: RecordsMethod, train: RankingDataset, test: RankingDataset, limits: PartLimits
) -> Part:
    """Learn record weights by one method and measure them on the test queries."""
    compute = partial(_fit_records, method, train, test, limits.seed)
    budget = limits.budget_of(method.external)
    return _measure_largest(compute, len(train.query_ids), budget, limits.smallest)


def measure_target_part(
    start: str, target: float, train: RankingDataset, limits: PartLimits
) -> Part:
    """Measure what coordinate ascent from a start needs to reach a training NDCG."""
    try:
        return run_within(
            partial(reach_target, start, limits.seed, target, train), limits.budget.seconds
        )
    except LimitError as error:
        return {"not_run": str(error)}


def compile_fusion(test: FusionDataset) -> None:
    """Compile what the processes of learners then inherit."""
    few = test.take(np.arange(min(TRIAL_QUERIES, len(test.query_ids))))
    with one_thread():
        Fold(few, few, FusionPlan()).warm_up()


def sample_records(train: RankingDataset, size: int, seed: int) -> RankingDataset:
    """Return a random sample of the queries; a smaller one is part of a larger one."""
    total = len(train.query_ids)
    if size >= total:
        return train
    return train.take(np.sort(np.random.default_rng(seed).permutation(total)[:size]))


def group_means(values: Floats, groups: int = GROUPS) -> list[float]:
    """Return the means of groups of values, chosen at random once and for all.

    >>> group_means(np.array([1.0, 1.0, 1.0, 1.0]), groups=2)
    [1.0, 1.0]
    """
    count = min(groups, values.size)
    order = np.random.default_rng(values.size).permutation(values.size)
    return [float(values[part].mean().round(7)) for part in np.array_split(order, count)]


def _measure_largest(compute: Compute, training: int, budget: Budget, smallest: int) -> Part:
    try:
        value, size = measure_within(compute, sample_sizes(training, smallest=smallest), budget)
    except LimitError as error:  # saved: it would exceed the same limit again
        return {"not_run": str(error)}
    return {**value, "training": training, "size": size}


def _fit_fusion(
    method: Method,
    train: FusionDataset,
    test: FusionDataset,
    seed: int,
    size: int,
    is_trial: bool,
) -> Part:
    """Learn from a common random subset; runs in a separate process."""
    judged = test.take(np.arange(min(TRIAL_QUERIES, len(test.query_ids)))) if is_trial else test
    plan = FusionPlan(seed=seed, sample=size)
    value = Fold(sample_queries(train, size, seed), judged, plan).measure(method)
    if "not_run" in value:
        raise LimitError(value["not_run"])
    grouped = {name: group_means(np.array(value[name])) for name in ("ndcg", "nce")}
    return {**value, **grouped}


def _fit_records(
    method: RecordsMethod,
    train: RankingDataset,
    test: RankingDataset,
    seed: int,
    size: int,
    is_trial: bool,
) -> Part:
    """Learn from a common random subset; runs in a separate process."""
    judged = test.take(np.arange(min(TRIAL_QUERIES, len(test.query_ids)))) if is_trial else test
    value = measure_records(method, seed, sample_records(train, size, seed), judged)
    if "not_run" in value:
        raise LimitError(value["not_run"])
    return value
