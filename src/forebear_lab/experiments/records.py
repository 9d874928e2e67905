"""The paper's table of coordinate ascent: what does a better start save, and what does it cost?

Weights of binary features are learned for each record type, from equal weights (RankLib's
default) and from the paper's customized start, by RankLib's steps without its faults, by RankLib
as it ships from 2.7 on, and by exact line search.  Evaluations are counted as well as seconds,
for seconds depend on the machine; of the exact search an evaluation is a whole line.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from forebear import __version__
from forebear.learning.dataset import RankingDataset
from forebear.learning.measures import ndcg_of_arrays
from forebear_lab.experiments.finished_parts import FinishedParts, Part
from forebear_lab.experiments.fuser import CurvePoint, Row
from forebear_lab.experiments.one_thread import one_thread
from forebear_lab.experiments.ranking_data import RecordsData
from forebear_lab.experiments.records_methods import RecordsMethod, choose_records_methods

Tell = Callable[[str], None]
_DECIMALS = 12  # sums of the same weights in another order must stay ties


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsPlan:
    """What is to be compared, and how."""

    methods: Sequence[str] = ()  # none: all
    seeds: Sequence[int] = (1,)
    queries: int | None = None  # to learn from, at most


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordsResult:
    """What one learner came to on one shape, over all seeds."""

    method: RecordsMethod
    ndcg: Row  # of each test query, the mean over seeds
    train: float
    start: float  # train NDCG before the first pass; of RankLib, after the first restart
    evaluations: float
    seconds: tuple[float, ...]  # of CPU, by seed
    ended: str
    curve: tuple[CurvePoint, ...]  # of the first seed


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsResults:
    """All learners on one shape."""

    data: RecordsData
    methods: tuple[RecordsResult, ...]


def run_records(data: RecordsData, plan: RecordsPlan, out: Path, *, tell: Tell) -> RecordsResults:
    """Learn and measure everything that is not finished yet."""
    chosen, parts = choose_records_methods(plan.methods), FinishedParts(out)
    train = data.train.take(np.arange(min(plan.queries or 10**9, len(data.train.query_ids))))
    for method in chosen:
        method.make(1).fit(train.take(np.arange(3)))  # compiled before anything is timed
    key = f"{__version__} {data.digest} {plan.queries}"
    results = []
    for method in chosen:
        found = []
        for seed in plan.seeds:
            part, old = parts.get(
                f"{data.name}_{method.name}_seed{seed}",
                key,
                partial(_measure, method, seed, train, data.test),
            )
            found.append(part)
            what = "kept from before" if old else f"{part['seconds']:.1f} s"
            tell(
                f"{data.name}: {method.title}, seed {seed}: test NDCG "
                f"{np.mean(part['ndcg']):.4f} in {part['evaluations']:,} evaluations ({what})"
            )
        results.append(_join(method, found))
    return RecordsResults(data=data, methods=tuple(results))


def linear_ndcg(dataset: RankingDataset, weights: Row) -> Row:
    """Return the NDCG of each query under weights, averaged over ties."""
    scores = np.round(dataset.features.astype(np.float64) @ weights, _DECIMALS)
    return ndcg_of_arrays(scores, dataset.labels, dataset.offsets, cutoff=100)


def _measure(method: RecordsMethod, seed: int, train: RankingDataset, test: RankingDataset) -> Part:
    with one_thread():
        began = process_time()
        weights, history = method.make(seed).fit(train)
        seconds = process_time() - began
    return {
        "ndcg": linear_ndcg(test, weights.values).round(9).tolist(),
        "train": float(linear_ndcg(train, weights.values).mean()),
        "evaluations": history.last.evaluations,
        "seconds": seconds,
        "ended": history.ended,
        "curve": [{"work": step.evaluations, "train": step.train} for step in history.steps],
    }


def _join(method: RecordsMethod, parts: Sequence[dict[str, Any]]) -> RecordsResult:
    return RecordsResult(
        method=method,
        ndcg=np.mean([part["ndcg"] for part in parts], axis=0),
        train=float(np.mean([part["train"] for part in parts])),
        start=float(np.mean([part["curve"][0]["train"] for part in parts])),
        evaluations=float(np.mean([part["evaluations"] for part in parts])),
        seconds=tuple(part["seconds"] for part in parts),
        ended=parts[0]["ended"],
        curve=tuple(CurvePoint(**point) for point in parts[0]["curve"]),
    )
