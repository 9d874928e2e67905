"""The paper's table of coordinate ascent: what does a better start save, and what does it cost?

Weights of binary features are learned for each record type, from equal weights (RankLib's default)
and from the paper's customized start, by RankLib's steps without its faults, by RankLib as it ships
from 2.7 on, and by exact line search.  Evaluations are counted as well as seconds, because seconds
depend on the machine; an evaluation of the exact search is a whole line.  RankLib's own learners
stand beside them if wanted.

A learner that starts better may also stop earlier at a worse value.  So each coordinate ascent is
run once more, until it reaches the training NDCG at which the default one ended.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np

from forebear import __version__
from forebear.kernels.ndcg import Floats
from forebear.learning.coordinate_ascent import CoordinateAscent
from forebear.learning.dataset import RankingDataset
from forebear_lab.baselines.fuser import CurvePoint
from forebear_lab.baselines.maven import LimitError, Limits
from forebear_lab.experiments.data import RecordsData
from forebear_lab.experiments.parts import (
    FinishedParts,
    Part,
    UnrunMethod,
    get_or_reason,
    one_thread,
)
from forebear_lab.experiments.record_methods import (
    RecordsMethod,
    choose_records_methods,
    query_ndcg,
)

Progress = Callable[[str], None]
ASCENT_PREFIX = "ca_"
DEFAULT = f"{ASCENT_PREFIX}uniform"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsPlan:
    """What is to be compared, and how."""

    methods: Sequence[str] = ()  # none: all
    seeds: Sequence[int] = (1,)
    queries: int | None = None  # to learn from, at most
    ranklib: Limits | None = None  # of RankLib's runs; None: without RankLib


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordsResult:
    """The result of one learner on one shape, over all seeds."""

    method: RecordsMethod
    ndcg: Floats  # of each test query, the mean over seeds
    train: float
    start: float  # train NDCG before the first pass (of our RankLib: after a restart), or NaN
    evaluations: float  # 0: not counted
    seconds: tuple[float, ...]  # of CPU, by seed
    ended: str
    curve: tuple[CurvePoint, ...]  # of the first seed
    seen: str = ""  # how few of the training queries it saw, if not all


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetCost:
    """What a learner needed to reach the default's training NDCG; means over seeds."""

    evaluations: float
    seconds: float
    reached: float  # share of seeds


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsResults:
    """All learners on one shape."""

    data: RecordsData
    methods: tuple[RecordsResult, ...]
    learned_from: int  # training queries
    not_run: tuple[UnrunMethod, ...] = ()
    targets: Mapping[str, TargetCost] = field(default_factory=dict)  # by learner


def run_records(
    data: RecordsData, plan: RecordsPlan, out: Path, *, progress: Progress
) -> RecordsResults:
    """Learn and measure everything that is not finished yet."""
    chosen, parts = choose_records_methods(plan.methods, plan.ranklib), FinishedParts(out)
    train = first_queries(data, plan.queries).train
    compile_learners(chosen, train)
    key = f"{__version__} {data.digest} {plan.queries}"
    by_method: dict[str, list[Part]] = {}
    not_run = []
    for method in chosen:
        measured: list[Part] = []
        for seed in plan.seeds[:1] if method.external else plan.seeds:
            part, is_saved = get_or_reason(
                parts,
                f"{data.name}_{method.name}_seed{seed}",
                f"{key} {plan.ranklib}" if method.external else key,
                partial(measure_records, method, seed, train, data.test),
            )
            progress(f"{data.name}: {method.title}, seed {seed}: {_describe(part, is_saved)}")
            if "not_run" in part:
                not_run.append(
                    UnrunMethod(name=method.name, title=method.title, reason=part["not_run"])
                )
            else:
                measured.append(part)
        if measured:
            by_method[method.name] = measured
    titles = {method.name: method for method in chosen}
    return RecordsResults(
        data=data,
        methods=tuple(join_seeds(titles[name], measured) for name, measured in by_method.items()),
        learned_from=len(train.query_ids),
        not_run=tuple(not_run),
        targets=_reach_targets(by_method, plan, train, parts, f"{data.name}_", key),
    )


def first_queries(data: RecordsData, queries: int | None) -> RecordsData:
    """Return the data with at most this number of training queries; None means all."""
    count = len(data.train.query_ids)
    if queries is None or queries >= count:
        return data
    return replace(data, train=data.train.take(np.arange(queries)))


def compile_learners(methods: Sequence[RecordsMethod], train: RankingDataset) -> None:
    """Compile our learners before anything is timed."""
    few = train.take(np.arange(min(3, len(train.query_ids))))
    for method in methods:
        if not method.external:
            method.make(1).rank(few, few)


def _describe(part: Part, is_saved: bool) -> str:
    if "not_run" in part:
        return f"not run: {part['not_run']}"
    cost = "kept from before" if is_saved else f"{part['seconds']:.1f} s"
    work = f" in {part['evaluations']:,} evaluations" if part["evaluations"] else ""
    return f"test NDCG {np.mean(part['ndcg']):.4f}{work} ({cost})"


def measure_records(
    method: RecordsMethod, seed: int, train: RankingDataset, test: RankingDataset
) -> Part:
    """Learn by one method and measure it on the test queries."""
    try:
        with one_thread():
            ranked = method.make(seed).rank(train, test)
    except LimitError as error:  # saved: it would exceed the same limit again
        return {"not_run": str(error)}
    return {
        "ndcg": query_ndcg(test, ranked.test).round(9).tolist(),
        "train": float(query_ndcg(train, ranked.train).mean()),
        "evaluations": ranked.evaluations,
        "seconds": ranked.seconds,
        "ended": ranked.ended,
        "curve": [{"work": point.work, "train": point.train} for point in ranked.curve],
    }


def _reach_targets(
    by_method: Mapping[str, Sequence[Part]],
    plan: RecordsPlan,
    train: RankingDataset,
    parts: FinishedParts,
    prefix: str,
    key: str,
) -> dict[str, TargetCost]:
    """Run each coordinate ascent until it reaches the value at which the default one ended."""
    costs: dict[str, TargetCost] = {}
    for name in by_method if DEFAULT in by_method else ():
        if not name.startswith(ASCENT_PREFIX):
            continue
        runs = []
        for seed, default in zip(plan.seeds, by_method[DEFAULT], strict=True):
            target = default["curve"][-1]["train"]
            start = name.removeprefix(ASCENT_PREFIX)
            compute = partial(reach_target, start, seed, target, train)
            saved_as = f"{prefix}{name}_target_seed{seed}"
            runs.append(parts.get(saved_as, f"{key} {target}", compute)[0])
        costs[name] = mean_cost(runs)
    return costs


def mean_cost(runs: Sequence[Part]) -> TargetCost:
    """Return the mean cost of several runs to a target."""
    return TargetCost(
        evaluations=float(np.mean([run["evaluations"] for run in runs])),
        seconds=float(np.mean([run["seconds"] for run in runs])),
        reached=float(np.mean([run["reached"] for run in runs])),
    )


def reach_target(start: str, seed: int, target: float, train: RankingDataset) -> Part:
    """Run coordinate ascent until it reaches a training NDCG, or ends."""
    with one_thread():
        began = process_time()
        _, history = CoordinateAscent(seed=seed, start=start, target=target).fit(train)
        seconds = process_time() - began
    last = history.last
    reached = last.train >= target
    return {"evaluations": last.evaluations, "seconds": seconds, "reached": reached}


def join_seeds(method: RecordsMethod, parts: Sequence[Part]) -> RecordsResult:
    """Return the result of one learner from its parts, one per seed."""
    curves = [part["curve"] or [{"work": 0, "train": float("nan")}] for part in parts]
    return RecordsResult(
        method=method,
        ndcg=np.mean([part["ndcg"] for part in parts], axis=0),
        train=float(np.mean([part["train"] for part in parts])),
        start=float(np.mean([curve[0]["train"] for curve in curves])),
        evaluations=float(np.mean([part["evaluations"] for part in parts])),
        seconds=tuple(part["seconds"] for part in parts),
        ended=parts[0]["ended"],
        curve=tuple(CurvePoint(**point) for point in parts[0]["curve"]),
        seen=_seen(parts[0]),
    )


def _seen(part: Part) -> str:
    size, training = part.get("size", 0), part.get("training", 0)
    return f"{size:,} of {training:,} queries" if size < training else ""
