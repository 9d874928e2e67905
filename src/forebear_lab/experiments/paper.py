"""The paper's tables at the paper's size, in parts that can be computed on several machines.

A part is one learner on one fold (fusion) or one shape (records); its JSON file names what it was
computed with, so the folder `parts/` may be copied to another machine, which does the rest.  The
data is simulated from the seed, the same everywhere.

Instead of ten thousand values a part of a fusion holds the means of 200 random groups of test
queries.  Means, intervals and paired tests over groups agree with those over queries, and a file
stays small.
"""

import os
import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from forebear import __version__
from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset
from forebear.learning.trial import k_folds
from forebear_lab.baselines.fuser import sample_queries
from forebear_lab.baselines.maven import LimitError, Limits
from forebear_lab.experiments.budget import SMALLEST, Budget, measure_within, sample_sizes
from forebear_lab.experiments.data import FusionData, simulate_fusion, simulate_records
from forebear_lab.experiments.fusion import Fold, FusionPlan, FusionResults, join_folds
from forebear_lab.experiments.methods import Method, choose_methods
from forebear_lab.experiments.parts import (
    FinishedParts,
    Part,
    UnrunMethod,
    get_or_reason,
    one_thread,
)
from forebear_lab.experiments.record_methods import choose_records_methods
from forebear_lab.experiments.records import RecordsPlan, RecordsResults, run_records
from forebear_lab.experiments.search_settings import search_variants

Progress = Callable[[str], None]
GROUPS = 200
TRIAL_QUERIES = 20  # scored where only the time of training matters
OTHER_METHODS = ("baseline", "ranksvm", "ca", "ss", "exact")  # for other numbers of lists


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperPlan:
    """The sizes of the paper's experiments; smaller ones are for tests."""

    queries: int = 30_000
    lists: tuple[int, ...] = (14, 8, 20)  # the first with all methods
    folds: int = 3
    shapes: tuple[str, ...] = ("marriage", "residence")
    record_queries: int | None = None  # to learn from; None: all
    seed: int = 1
    methods: tuple[str, ...] = ()  # of fusion with the first number of lists; none: all
    record_methods: tuple[str, ...] = ()
    sensitivity: bool = True  # is stochastic search run with other settings too?
    budget: Budget = field(default_factory=Budget)
    smallest: int = SMALLEST  # training queries of a learner
    ranklib: Limits | None = None

    @property
    def key(self) -> str:
        """Return what the parts of fusion depend on."""
        return f"{__version__} {self.queries} {self.folds} {self.seed} {self.budget.seconds:g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperPart:
    """One part: a learner of fusion on a fold, or of records on a shape."""

    name: str
    method: str
    lists: int = 0
    fold: int = 0
    shape: str = ""


class PaperRun:
    """The parts of a plan in a folder; data is simulated when a part needs it."""

    def __init__(self, plan: PaperPlan, out: Path, *, progress: Progress) -> None:
        self._plan, self._out, self._progress = plan, out, progress
        self._parts = FinishedParts(out)
        self._data: FusionData | None = None  # of the lists used last: it is large
        self._data_lists = 0
        self._is_compiled = False

    @cached_property
    def parts(self) -> dict[str, PaperPart]:
        """Return all parts by name."""
        return {part.name: part for part in (*self._record_parts(), *self._fusion_parts())}

    def is_finished(self, part: PaperPart) -> bool:
        """Return whether a part is saved."""
        if part.shape:  # `run_records` has the key
            return (self._out / "parts" / f"{part.name}.json").is_file()
        return self._parts.has(part.name, self._key(part))

    def compute(self, part: PaperPart) -> Part:
        """Compute a part unless it is saved."""
        if part.shape:
            self._run_shape(part.shape, (part.method,))
            return {}
        value, is_saved = get_or_reason(
            self._parts, part.name, self._key(part), partial(self._measure, part)
        )
        state = "kept from before" if is_saved else f"{value.get('seconds', 0):.1f} s"
        shown = value.get("not_run") or f"NDCG {np.mean(value['ndcg']):.4f} ({state})"
        self._progress(f"{part.name}: {shown}")
        return value

    def fusion_results(self, lists: int) -> FusionResults:
        """Return all methods on these lists; what is not saved is computed."""
        plan = self._plan
        values: dict[str, list[Part]] = {}
        for part in self.parts.values():
            if part.lists == lists:
                values.setdefault(part.method, []).append(self.compute(part))
        unrun = {
            name: next(part["not_run"] for part in parts if "not_run" in part)
            for name, parts in values.items()
            if any("not_run" in part for part in parts)
        }
        methods = self._methods(lists)
        chosen, variants = (
            tuple(
                join_folds(method, values[name])
                for name, method in methods.items()
                if name not in unrun and name.startswith(("ss_setting", "ss_reading")) is variant
            )
            for variant in (False, True)
        )
        return FusionResults(
            data=self._load(lists),
            plan=FusionPlan(folds=plan.folds, seed=plan.seed, sample=plan.queries),
            query_ids=self._load(lists).dataset.query_ids,
            methods=chosen,
            trade_offs=(),
            not_run=tuple(
                UnrunMethod(name=name, title=methods[name].title, reason=reason)
                for name, reason in unrun.items()
            ),
            variants=variants,
        )

    def records_results(self, shape: str) -> RecordsResults:
        """Return all learners on a shape; what is not saved is computed."""
        return self._run_shape(shape, self._plan.record_methods)

    def _run_shape(self, shape: str, methods: tuple[str, ...]) -> RecordsResults:
        plan = RecordsPlan(
            methods=methods,
            seeds=(self._plan.seed,),
            queries=self._plan.record_queries,
            ranklib=self._plan.ranklib,
        )
        data = simulate_records(shape=shape, seed=self._plan.seed, model_seed=self._plan.seed)
        return run_records(data, plan, self._out, progress=self._progress)

    def _record_parts(self) -> Iterator[PaperPart]:
        for shape in self._plan.shapes:
            for method in choose_records_methods(self._plan.record_methods, self._plan.ranklib):
                name = f"{shape}_{method.name}_seed{self._plan.seed}"
                yield PaperPart(name=name, method=method.name, shape=shape)

    def _fusion_parts(self) -> Iterator[PaperPart]:
        for lists in self._plan.lists:
            for fold in range(self._plan.folds):
                for method in self._methods(lists):
                    name = f"fusion{lists}_fold{fold}_{method}"
                    yield PaperPart(name=name, method=method, lists=lists, fold=fold)

    def _methods(self, lists: int) -> dict[str, Method]:
        plan = self._plan
        if lists != plan.lists[0]:
            chosen = choose_methods(OTHER_METHODS)
        else:
            variants = search_variants(lists) if plan.sensitivity else ()
            chosen = (*choose_methods(plan.methods, plan.ranklib), *variants)
        return {method.name: method for method in chosen}

    def _key(self, part: PaperPart) -> str:
        key = f"{self._plan.key} {part.lists}"
        return f"{key} {self._plan.ranklib}" if part.method.startswith("ranklib_") else key

    def _load(self, lists: int) -> FusionData:
        if self._data is None or self._data_lists != lists:
            plan = self._plan
            self._data = simulate_fusion(
                queries=plan.queries, lists=lists, seed=plan.seed, model_seed=plan.seed
            )
            self._data_lists = lists
        return self._data

    def _measure(self, part: PaperPart) -> Part:
        plan, dataset = self._plan, self._load(part.lists).dataset
        learn_from, held = k_folds(dataset.query_ids, plan.folds, plan.seed)[part.fold]
        train, test = dataset.take(learn_from), dataset.take(held)
        method = self._methods(part.lists)[part.method]
        sizes = sample_sizes(len(train.query_ids), smallest=plan.smallest)
        budget = plan.budget
        if method.origin == "ranklib" and plan.ranklib:
            budget = replace(budget, seconds=plan.ranklib.seconds)
        compute = partial(self._fit, method, train, test)
        self._compile(test)
        try:
            value, size = measure_within(compute, sizes, budget)
        except LimitError as error:  # saved: it would exceed the same limit again
            return {"not_run": str(error), **_provenance()}
        if size < len(train.query_ids):
            value["settings"]["queries"] = size
        return {**value, "training": len(train.query_ids), "size": size, **_provenance()}

    def _compile(self, test: FusionDataset) -> None:
        """Compile once what the processes of learners then inherit."""
        if not self._is_compiled:
            few = test.take(np.arange(min(TRIAL_QUERIES, len(test.query_ids))))
            with one_thread():
                Fold(few, few, FusionPlan()).warm_up()
            self._is_compiled = True

    def _fit(
        self,
        method: Method,
        train: FusionDataset,
        test: FusionDataset,
        size: int,
        is_trial: bool,
    ) -> Part:
        """Learn from a common random subset; runs in a separate process."""
        plan = FusionPlan(seed=self._plan.seed, sample=size)
        judged = test.take(np.arange(min(TRIAL_QUERIES, len(test.query_ids)))) if is_trial else test
        fold = Fold(sample_queries(train, size, self._plan.seed), judged, plan)
        value = fold.measure(method)
        if "not_run" in value:
            raise LimitError(value["not_run"])
        grouped = {name: group_means(np.array(value[name])) for name in ("ndcg", "nce")}
        return {**value, **grouped}


def group_means(values: Floats, groups: int = GROUPS) -> list[float]:
    """Return the means of groups of values, chosen at random once and for all.

    >>> group_means(np.array([1.0, 1.0, 1.0, 1.0]), groups=2)
    [1.0, 1.0]
    """
    count = min(groups, values.size)
    order = np.random.default_rng(values.size).permutation(values.size)
    return [float(values[part].mean().round(7)) for part in np.array_split(order, count)]


def _provenance() -> Part:
    return {
        "date": date.today().isoformat(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
    }
