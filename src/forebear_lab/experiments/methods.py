"""Which methods of fusing are compared, under which names, and where does each come from?

`paper`: a row of the paper's tables.  `related`: a system of its related work that can be run on
disjoint scored lists.  `beyond`: what this package adds.  `ranklib`: RankLib's own program, where
it is wanted.  `engine`: how an archive fuses already.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from forebear.errors import InputError
from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.ada_rank import AdaRank
from forebear_lab.baselines.ascents import FusedAscent
from forebear_lab.baselines.cossock_zhang import CossockZhang
from forebear_lab.baselines.fuser import CurvePoint, Fitted, Fuser, scale_of
from forebear_lab.baselines.lambda_merge import LambdaMerge
from forebear_lab.baselines.list_net import ListNet
from forebear_lab.baselines.maven import Limits
from forebear_lab.baselines.merging import Cori, NormalizedMerge, RoundRobin, WeightedRrf
from forebear_lab.baselines.probfuse import ProbFuse
from forebear_lab.baselines.rank_boost import RankBoost
from forebear_lab.baselines.rank_net import RankNet
from forebear_lab.baselines.rank_svm_weights import RankSvmWeights
from forebear_lab.baselines.ranklib import RANKERS, RanklibFuser
from forebear_lab.baselines.sweeps import VogtSweep, WuCombiner
from forebear_lab.baselines.trees import LambdaMart, Mart, RandomForest
from forebear_lab.learning.learn import CalibrationKind, FusionLearner, FusionMethod
from forebear_lab.learning.models import FusionModel

Origin = Literal["paper", "related", "beyond", "ranklib", "engine"]
Make = Callable[[int, int], Fuser]  # from a seed, and how many queries slow learners may see

BASELINE = "baseline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A method of fusing, by name."""

    name: str
    title: str
    origin: Origin
    make: Make


def _method(name: str, title: str, origin: Origin, make: Make) -> tuple[str, Method]:
    return name, Method(name=name, title=title, origin=origin, make=make)


def _norm(norm: str) -> Make:
    return lambda _seed, _sample: NormalizedMerge(norm=norm)


@dataclass(frozen=True, slots=True, kw_only=True)
class OurFuser:
    """A method of `forebear learn fusion`."""

    seed: int
    method: FusionMethod
    slopes: bool = False  # of the exact method: may each list have its own?
    calibration: CalibrationKind = "logistic"

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Learn a model."""
        learner = FusionLearner(
            method=self.method,
            seed=self.seed,
            scale=scale_of(dataset),
            slopes=self.slopes,
            calibration=self.calibration,
        )
        model, history = learner.fit(dataset)
        linear = all(one.calibration is None for one in model.lists.values())
        weights = {name: 2.0**one.shift for name, one in model.lists.items()} if linear else {}
        return Fitted(
            score=lambda lists: fused(model, lists),
            curve=tuple(
                CurvePoint(work=step.evaluations, train=step.train)
                for step in history.steps
                if not step.move.startswith("sample")  # of other queries
            ),
            unit="line searches" if self.method == "exact" else "evaluations",
            settings={"method": self.method, "ended": history.ended},
            weights=weights,
        )


def fused(model: FusionModel, dataset: FusionDataset) -> Floats:
    """Return each record's fused score in bits."""
    ready = model.prepare(dataset)
    shifts = model.rows(ready)[0][ready.lists_of_records()]
    return np.asarray(ready.scores + shifts, np.float64)


METHODS: Mapping[str, Method] = dict(
    [
        _method(BASELINE, "raw scores (baseline)", "paper", _norm("none")),
        _method("lambdamart", "LambdaMART", "paper", lambda s, n: LambdaMart(seed=s, queries=n)),
        _method("ranknet", "RankNet", "paper", lambda s, n: RankNet(seed=s, queries=n)),
        _method("adarank", "AdaRank", "paper", lambda s, n: AdaRank(seed=s, queries=4 * n)),
        _method("listnet", "ListNet", "paper", lambda s, n: ListNet(seed=s, queries=4 * n)),
        _method("ranksvm", "RankSVM", "paper", lambda s, _: RankSvmWeights(seed=s)),
        _method("forest", "RandomForest", "paper", lambda s, n: RandomForest(seed=s, queries=n)),
        _method("mart", "MART", "paper", lambda s, n: Mart(seed=s, queries=n)),
        _method("ca", "coordinate ascent (CA)", "paper", lambda s, _: FusedAscent(seed=s)),
        _method(
            "ss", "stochastic search (SS)", "paper", lambda s, _: OurFuser(seed=s, method="ss")
        ),
        _method("rankboost", "RankBoost", "paper", lambda s, n: RankBoost(seed=s, queries=4 * n)),
        _method("min_max", "min-max norm (CombSUM, CombMNZ)", "related", _norm("min_max")),
        _method("max", "max norm", "related", _norm("max")),
        _method("sum", "sum norm", "related", _norm("sum")),
        _method("z", "z norm", "related", _norm("z")),
        _method("rank", "rank norm", "related", _norm("rank")),
        _method("rrf", "round robin (RRF, ISR)", "related", lambda _s, _n: RoundRobin()),
        _method("weighted_rrf", "weighted RRF", "related", lambda _s, _n: WeightedRrf()),
        _method("cori", "CORI merge", "related", lambda _s, _n: Cori()),
        _method("probfuse", "ProbFuse", "related", lambda _s, _n: ProbFuse()),
        _method(
            "lambdamerge",
            "LambdaMerge-like",
            "related",
            lambda s, n: LambdaMerge(seed=s, queries=n),
        ),
        _method("vogt", "Vogt's sweep", "related", lambda s, n: VogtSweep(seed=s, queries=4 * n)),
        _method("wu", "Wu's combiner", "related", lambda s, n: WuCombiner(seed=s, queries=4 * n)),
        _method(
            "regression",
            "Cossock-Zhang regression",
            "related",
            lambda s, n: CossockZhang(seed=s, queries=4 * n),
        ),
        _method(
            "listnet_shares",
            "ListNet, label shares",
            "related",
            lambda s, n: ListNet(seed=s, target="shares", queries=4 * n),
        ),
        _method(
            "annealing",
            "NDCG-Annealing",
            "related",
            lambda s, _: OurFuser(seed=s, method="annealing"),
        ),
        _method("exact", "exact weights", "beyond", lambda s, _: OurFuser(seed=s, method="exact")),
        _method(
            "exact_slopes",
            "exact shifts and slopes",
            "beyond",
            lambda s, _: OurFuser(seed=s, method="exact", slopes=True),
        ),
        _method(
            "calibrated",
            "calibrated, logistic",
            "beyond",
            lambda s, _: OurFuser(seed=s, method="calibrated"),
        ),
        _method(
            "isotonic",
            "calibrated, isotonic",
            "beyond",
            lambda s, _: OurFuser(seed=s, method="calibrated", calibration="isotonic"),
        ),
    ]
)


# What an archive's own model does with its lists; it is measured, and learns nothing here.
ENGINE = Method(name="engine", title="the engine's model", origin="engine", make=_norm("none"))


def ranklib_methods(limits: Limits) -> dict[str, Method]:
    """Return RankLib's learners as methods, named `ranklib_` and the name of ours."""
    return dict(
        _method(
            f"ranklib_{name}",
            f"RankLib {ranker.title}",
            "ranklib",
            lambda seed, sample, name=name: RanklibFuser(  # type: ignore[misc]
                ranker=name, seed=seed, queries=sample, limits=limits
            ),
        )
        for name, ranker in RANKERS.items()
    )


def choose_methods(names: Sequence[str], ranklib: Limits | None = None) -> tuple[Method, ...]:
    """Return the methods of these names, the baseline always first; no name means all.

    RankLib's are among them if its limits are given.
    """
    available = dict(METHODS) | (ranklib_methods(ranklib) if ranklib else {})
    check_names(names, available)
    chosen = {BASELINE, *(names or available)}
    return tuple(method for name, method in available.items() if name in chosen)


def check_names(names: Sequence[str], available: Mapping[str, object]) -> None:
    """Refuse a name that no method has."""
    unknown = [name for name in names if name not in available]
    if unknown:
        hint = f"known: {', '.join(available)}"
        if unknown[0].startswith("ranklib_"):
            hint += "; with --ranklib, its learners too"
        raise InputError(f"no method is called {unknown[0]!r}", hint=hint)
