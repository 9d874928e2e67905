"""The paper's tables at the paper's size, in parts that can be computed on several machines.

A part is one learner on one fold (fusion) or one shape (records), or the run of a coordinate ascent
until it reaches the default's training NDCG.  Its JSON file names what it was computed with, so the
folder `parts/` may be copied to another machine, which does the rest.  The data is simulated from
the seed, the same everywhere.  A part stays valid under another budget if its learner saw all
queries and its time fits that budget too.  Results may be read before all parts are finished: a
method is then left out until its last part is there.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from forebear import __version__
from forebear.learning.measures import k_folds
from forebear_lab.baselines.maven import Limits
from forebear_lab.experiments.budget import SMALLEST, Budget
from forebear_lab.experiments.data import (
    PAPER_QUERIES,
    FusionData,
    RecordsData,
    simulate_fusion,
    simulate_records,
)
from forebear_lab.experiments.fusion import FusionPlan, FusionResults, join_folds
from forebear_lab.experiments.methods import BASELINE, Method, choose_methods
from forebear_lab.experiments.paper_order import RANKLIB_PREFIX, rank_method
from forebear_lab.experiments.paper_parts import (
    PartLimits,
    compile_fusion,
    measure_fusion_part,
    measure_records_part,
    measure_target_part,
)
from forebear_lab.experiments.parts import FinishedParts, Part, UnrunMethod, get_or_reason
from forebear_lab.experiments.record_methods import RecordsMethod, choose_records_methods
from forebear_lab.experiments.records import (
    ASCENT_PREFIX,
    DEFAULT,
    RecordsResults,
    compile_learners,
    first_queries,
    join_seeds,
    mean_cost,
)
from forebear_lab.experiments.search_settings import (
    READING_PREFIX,
    SETTING_PREFIX,
    search_variants,
)

Progress = Callable[[str], None]
OTHER_METHODS = (BASELINE, "ranksvm", "ca", "ss", "exact")  # for other numbers of lists


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperPlan:
    """The sizes of the paper's experiments; smaller ones are for tests."""

    queries: int = PAPER_QUERIES
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
    def limits(self) -> PartLimits:
        """Return what a learner may use."""
        return PartLimits(
            seed=self.seed, budget=self.budget, smallest=self.smallest, ranklib=self.ranklib
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperPart:
    """One part: a learner of fusion on a fold, or of records on a shape."""

    name: str
    method: str
    lists: int = 0
    fold: int = 0
    shape: str = ""
    is_target: bool = False  # is it run until it reaches the default's training NDCG?

    @property
    def group(self) -> str:
        """Return what the part belongs to, as it is shown."""
        if not self.shape:
            return f"fusion of {self.lists} lists, fold {self.fold + 1}"
        return f"{self.shape} records{', to the same NDCG' if self.is_target else ''}"


class PaperRun:
    """The parts of a plan in a folder; data is simulated when a part needs it."""

    def __init__(self, plan: PaperPlan, out: Path, *, progress: Progress) -> None:
        self._plan, self._progress = plan, progress
        self._parts = FinishedParts(out)
        self._fusion_data: dict[int, FusionData] = {}  # of the lists used last: it is large
        self._records_data: dict[str, RecordsData] = {}
        self._reasons: dict[str, Part] = {}  # of parts that cannot run here
        self._is_compiled = False

    @cached_property
    def parts(self) -> dict[str, PaperPart]:
        """Return all parts by name, in the order in which they are computed."""
        parts = (*self._fusion_parts(), *self._record_parts())
        ordered = sorted(parts, key=lambda part: rank_method(part.method))
        return {part.name: part for part in ordered}

    def is_finished(self, part: PaperPart) -> bool:
        """Return whether a part is saved."""
        return self._read(part) is not None

    def missing(self) -> list[PaperPart]:
        """Return the parts that are not saved."""
        return [part for part in self.parts.values() if not self.is_finished(part)]

    def origins(self) -> list[str]:
        """Return the machines and days of the saved parts."""
        days: dict[str, set[str]] = {}
        for part in self.parts.values():
            if value := self._read(part):
                days.setdefault(value["machine"], set()).add(value["date"])
        return [f"{machine} ({', '.join(sorted(dates))})" for machine, dates in days.items()]

    def highest_load(self) -> float:
        """Return the highest load of the machines while the saved parts were computed."""
        values = (self._read(part) for part in self.parts.values())
        return max((value["load"] for value in values if value), default=0.0)

    def seconds(self) -> float:
        """Return the CPU time of the saved parts' learners."""
        values = (self._read(part) for part in self.parts.values())
        return float(sum(value.get("seconds", 0.0) for value in values if value))

    def samples(self) -> dict[str, list[str]]:
        """Return for each learner that saw a sample of the queries where it did, and how many."""
        samples: dict[str, list[str]] = {}
        for part in self.parts.values():
            value = self._read(part) or {}
            size, training = value.get("size", 0), value.get("training", 0)
            if size < training:
                shown = f"{part.group}: {size:,} of {training:,} queries"
                samples.setdefault(part.method, []).append(shown)
        return samples

    def compute(self, part: PaperPart) -> Part:
        """Compute a part unless it is saved."""
        measure = self._measure_fusion
        if part.shape:
            measure = self._measure_target if part.is_target else self._measure_records
        value, is_saved = get_or_reason(
            self._parts,
            part.name,
            self._key(part),
            partial(self._measure, measure, part),
            is_valid=partial(self._fits, part),
        )
        if "not_run" in value:
            self._reasons[part.name] = value
        self._progress(f"{part.name}: {_describe(value, is_saved)}")
        return value

    def fusion_results(self, lists: int) -> FusionResults | None:
        """Return the methods on these lists whose parts are saved; None without the baseline."""
        methods = self._methods(lists)
        values = self._saved_values(part for part in self.parts.values() if part.lists == lists)
        measured = {
            name: join_folds(methods[name], parts)
            for name, parts in values.items()
            if not any("not_run" in part for part in parts)
        }
        if BASELINE not in measured:
            return None
        data, plan = self._load_fusion(lists), self._plan
        return FusionResults(
            data=data,
            plan=FusionPlan(folds=plan.folds, seed=plan.seed, sample=plan.queries),
            query_ids=data.dataset.query_ids,
            methods=tuple(one for name, one in measured.items() if not _is_variant(name)),
            trade_offs=(),
            not_run=_unrun(values, methods),
            variants=tuple(one for name, one in measured.items() if _is_variant(name)),
        )

    def records_results(self, shape: str) -> RecordsResults | None:
        """Return the learners on a shape whose parts are saved; None if there are none."""
        methods = {method.name: method for method in self._record_methods()}
        of_shape = [part for part in self.parts.values() if part.shape == shape]
        values = self._saved_values(part for part in of_shape if not part.is_target)
        targets = self._saved_values(part for part in of_shape if part.is_target)
        measured = tuple(
            join_seeds(methods[name], parts)
            for name, parts in values.items()
            if "not_run" not in parts[0]
        )
        if not measured:
            return None
        data = self._load_records(shape)
        return RecordsResults(
            data=data,
            methods=measured,
            learned_from=len(data.train.query_ids),
            not_run=_unrun(values, methods),
            targets={
                name: mean_cost(parts)
                for name, parts in targets.items()
                if "not_run" not in parts[0] and name in {one.method.name for one in measured}
            },
        )

    def _saved_values(self, parts: Iterator[PaperPart]) -> dict[str, list[Part]]:
        """Return the values of the methods all of whose parts are saved."""
        values: dict[str, list[Part | None]] = {}
        for part in parts:
            value = self._read(part) or self._reasons.get(part.name)
            values.setdefault(part.method, []).append(value)
        return {
            name: [value for value in saved if value is not None]
            for name, saved in values.items()
            if None not in saved
        }

    def _record_parts(self) -> Iterator[PaperPart]:
        seed, names = self._plan.seed, [method.name for method in self._record_methods()]
        for shape in self._plan.shapes:
            for name in names:
                yield PaperPart(name=f"{shape}_{name}_seed{seed}", method=name, shape=shape)
            for name in names if DEFAULT in names else ():
                if name.startswith(ASCENT_PREFIX):
                    title = f"{shape}_{name}_target_seed{seed}"
                    yield PaperPart(name=title, method=name, shape=shape, is_target=True)

    def _fusion_parts(self) -> Iterator[PaperPart]:
        for lists in self._plan.lists:
            for fold in range(self._plan.folds):
                for method in self._methods(lists):
                    name = f"fusion{lists}_fold{fold}_{method}"
                    yield PaperPart(name=name, method=method, lists=lists, fold=fold)

    def _record_methods(self) -> tuple[RecordsMethod, ...]:
        return choose_records_methods(self._plan.record_methods, self._plan.ranklib)

    def _methods(self, lists: int) -> dict[str, Method]:
        plan = self._plan
        if lists != plan.lists[0]:
            chosen = choose_methods(OTHER_METHODS)
        else:
            variants = search_variants(lists) if plan.sensitivity else ()
            chosen = (*choose_methods(plan.methods, plan.ranklib), *variants)
        return {method.name: method for method in chosen}

    def _key(self, part: PaperPart) -> str:
        """Return what a part depends on."""
        plan = self._plan
        data = f"{plan.queries} {plan.folds} {part.lists}"
        if part.shape:
            data = f"{part.shape} {plan.record_queries}"
        key = f"{__version__} {data} {plan.seed}"
        if plan.ranklib and part.method.startswith(RANKLIB_PREFIX):
            return f"{key} {plan.ranklib.memory_mb} MB"
        return key

    def _budget(self, part: PaperPart) -> float:
        return self._plan.limits.budget_of(part.method.startswith(RANKLIB_PREFIX)).seconds

    def _fits(self, part: PaperPart, saved: Part) -> bool:
        """Return whether a saved part is what this budget would give."""
        budget = self._budget(part)
        if saved.get("budget") == budget:
            return True
        saw_all = "not_run" not in saved and saved.get("size") == saved.get("training")
        return saw_all and bool(saved["seconds"] <= budget)

    def _read(self, part: PaperPart) -> Part | None:
        """Return a part if it is saved and valid under this plan."""
        saved = self._parts.read(part.name, self._key(part))
        return saved if saved is not None and self._fits(part, saved) else None

    def _measure(self, measure: Callable[[PaperPart], Part], part: PaperPart) -> Part:
        return {**measure(part), "budget": self._budget(part)}

    def _load_fusion(self, lists: int) -> FusionData:
        if lists not in self._fusion_data:
            plan = self._plan
            data = simulate_fusion(
                queries=plan.queries, lists=lists, seed=plan.seed, model_seed=plan.seed
            )
            self._fusion_data = {lists: data}
        return self._fusion_data[lists]

    def _load_records(self, shape: str) -> RecordsData:
        if shape not in self._records_data:
            plan = self._plan
            data = simulate_records(shape=shape, seed=plan.seed, model_seed=plan.seed)
            self._records_data = {shape: first_queries(data, plan.record_queries)}
        return self._records_data[shape]

    def _measure_fusion(self, part: PaperPart) -> Part:
        plan, dataset = self._plan, self._load_fusion(part.lists).dataset
        learn_from, held = k_folds(dataset.query_ids, plan.folds, plan.seed)[part.fold]
        train, test = dataset.take(learn_from), dataset.take(held)
        if not self._is_compiled:
            compile_fusion(test)
            self._is_compiled = True
        return measure_fusion_part(self._methods(part.lists)[part.method], train, test, plan.limits)

    def _measure_records(self, part: PaperPart) -> Part:
        data = self._load_records(part.shape)
        (method,) = choose_records_methods((part.method,), self._plan.ranklib)
        compile_learners([method], data.train)
        return measure_records_part(method, data.train, data.test, self._plan.limits)

    def _measure_target(self, part: PaperPart) -> Part:
        """Measure how soon the NDCG of the default start is reached, if all queries fitted."""
        default = self.compute(self.parts[f"{part.shape}_{DEFAULT}_seed{self._plan.seed}"])
        if "not_run" in default or default["size"] < default["training"]:
            return {"not_run": "the default start did not learn from all queries"}
        target, train = default["curve"][-1]["train"], self._load_records(part.shape).train
        start = part.method.removeprefix(ASCENT_PREFIX)
        return measure_target_part(start, target, train, self._plan.limits)


def _describe(value: Part, is_saved: bool) -> str:
    if "not_run" in value:
        return f"not run: {value['not_run']}"
    cost = "kept from before" if is_saved else f"{value['seconds']:.1f} s"
    if "ndcg" not in value:
        return f"{value['evaluations']:,} evaluations ({cost})"
    return f"NDCG {np.mean(value['ndcg']):.4f} ({cost})"


def _is_variant(name: str) -> bool:
    return name.startswith((SETTING_PREFIX, READING_PREFIX))


def _unrun(
    values: dict[str, list[Part]], methods: "dict[str, Method] | dict[str, RecordsMethod]"
) -> tuple[UnrunMethod, ...]:
    reasons = {
        name: next(part["not_run"] for part in parts if "not_run" in part)
        for name, parts in values.items()
        if any("not_run" in part for part in parts)
    }
    return tuple(
        UnrunMethod(name=name, title=methods[name].title, reason=reason)
        for name, reason in reasons.items()
    )
