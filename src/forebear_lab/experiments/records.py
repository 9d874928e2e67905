"""The paper's table of coordinate ascent: what does a better start save, and what does it cost?

Weights of binary features are learned for each record type, from equal weights (RankLib's default)
and from the paper's customized start, by RankLib's steps without its faults, by RankLib as it ships
from 2.7 on, and by exact line search.  Evaluations are counted as well as seconds, because seconds
depend on the machine; an evaluation of the exact search is a whole line.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any, Protocol

import numpy as np

from forebear import __version__
from forebear.errors import InputError
from forebear.kernels.ndcg import Floats
from forebear.learning.coordinate_ascent import ClauseWeights, CoordinateAscent
from forebear.learning.dataset import RankingDataset
from forebear.learning.history import TrainingHistory
from forebear.learning.measures import ndcg_of_arrays
from forebear_lab.baselines.ascents import RanklibAscent
from forebear_lab.baselines.fuser import CurvePoint
from forebear_lab.experiments.data import RecordsData
from forebear_lab.experiments.parts import FinishedParts, Part, one_thread
from forebear_lab.learning.ascent import ExactAscent

Progress = Callable[[str], None]
_DECIMALS = 12  # sums of the same weights in another order must stay ties


class WeightLearner(Protocol):
    """A learner of a weight for each feature."""

    def fit(self, dataset: RankingDataset) -> tuple[ClauseWeights, TrainingHistory]:
        """Learn from judged lists."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsMethod:
    """A method of learning weights, by name."""

    name: str
    title: str
    make: Callable[[int], WeightLearner]


def _ascent(start: str, seed: int) -> WeightLearner:
    return CoordinateAscent(seed=seed, start=start)


def _exact(start: str, seed: int) -> WeightLearner:
    return ExactAscent(seed=seed, start=start)


def _methods() -> Iterator[RecordsMethod]:
    yield RecordsMethod(
        name="ranklib",
        title="CA as RankLib 2.7 ships it, 5 restarts",
        make=lambda seed: RanklibAscent(seed=seed),
    )
    for start in ("uniform", "customized", "log_odds", "ridge"):
        title = {"uniform": "default start", "customized": "customized start"}.get(start, start)
        yield RecordsMethod(name=f"ca_{start}", title=f"CA, {title}", make=partial(_ascent, start))
    for start in ("uniform", "customized", "softmax"):
        yield RecordsMethod(
            name=f"exact_{start}", title=f"exact, {start} start", make=partial(_exact, start)
        )


RECORDS_METHODS: Mapping[str, RecordsMethod] = {method.name: method for method in _methods()}


def choose_records_methods(names: Sequence[str]) -> tuple[RecordsMethod, ...]:
    """Return the learners of these names; no name means all."""
    unknown = [name for name in names if name not in RECORDS_METHODS]
    if unknown:
        hint = f"known: {', '.join(RECORDS_METHODS)}"
        raise InputError(f"no learner is called {unknown[0]!r}", hint=hint)
    return tuple(RECORDS_METHODS[name] for name in names or RECORDS_METHODS)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsPlan:
    """What is to be compared, and how."""

    methods: Sequence[str] = ()  # none: all
    seeds: Sequence[int] = (1,)
    queries: int | None = None  # to learn from, at most


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordsResult:
    """The result of one learner on one shape, over all seeds."""

    method: RecordsMethod
    ndcg: Floats  # of each test query, the mean over seeds
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


def run_records(
    data: RecordsData, plan: RecordsPlan, out: Path, *, progress: Progress
) -> RecordsResults:
    """Learn and measure everything that is not finished yet."""
    chosen, parts = choose_records_methods(plan.methods), FinishedParts(out)
    train = data.train.take(np.arange(min(plan.queries or 10**9, len(data.train.query_ids))))
    for method in chosen:
        method.make(1).fit(train.take(np.arange(3)))  # compiled before anything is timed
    key = f"{__version__} {data.digest} {plan.queries}"
    results = []
    for method in chosen:
        of_method = []
        for seed in plan.seeds:
            part, is_saved = parts.get(
                f"{data.name}_{method.name}_seed{seed}",
                key,
                partial(_measure, method, seed, train, data.test),
            )
            of_method.append(part)
            cost = "kept from before" if is_saved else f"{part['seconds']:.1f} s"
            progress(
                f"{data.name}: {method.title}, seed {seed}: test NDCG "
                f"{np.mean(part['ndcg']):.4f} in {part['evaluations']:,} evaluations ({cost})"
            )
        results.append(_join(method, of_method))
    return RecordsResults(data=data, methods=tuple(results))


def linear_ndcg(dataset: RankingDataset, weights: Floats) -> Floats:
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
