"""Which parts does the experiment at the paper's size have, and in which order are they computed?

A part is one learner on one fold (fusion) or one shape (records), or the run of a coordinate ascent
until it reaches the default's training NDCG.

First comes what all claims of the paper need and what is quick: linear methods, merging, the
settings of stochastic search, other numbers of lists, and record weights.  Then the slow learners
on the first fold, because a method has a row for the folds that are finished: the paper's own
methods, RankLib's program, RankLib on records, and the related work, the quicker ones first.  The
other folds follow in the same order.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from forebear import __version__
from forebear_lab.baselines.maven import Limits
from forebear_lab.experiments.budget import SMALLEST, Budget
from forebear_lab.experiments.data import PAPER_QUERIES
from forebear_lab.experiments.methods import BASELINE, Method, choose_methods
from forebear_lab.experiments.paper_parts import PartLimits
from forebear_lab.experiments.record_methods import RecordsMethod, choose_records_methods
from forebear_lab.experiments.records import ASCENT_PREFIX, DEFAULT
from forebear_lab.experiments.search_settings import search_variants

OTHER_METHODS = (BASELINE, "ranksvm", "ca", "ss", "exact")  # for other numbers of lists
# Learners of fusion whose training takes seconds to minutes at the paper's size.
SLOW_PAPER = ("adarank", "listnet", "mart", "forest", "ranknet", "lambdamart", "rankboost")
SLOW_RELATED = ("listnet_shares", "regression", "wu", "vogt", "annealing", "lambdamerge")
RANKLIB_PREFIX = "ranklib_"
_RANKERS = ("adarank", "ca", "mart", "ranknet", "listnet", "forest", "lambdamart", "rankboost")
_RANKLIB = tuple(f"{RANKLIB_PREFIX}{name}" for name in _RANKERS)
_FUSION = {name: rank for rank, name in enumerate((*SLOW_PAPER, *_RANKLIB))}
_RECORDS = {name: rank for rank, name in enumerate(_RANKLIB, start=len(_FUSION))}
_RELATED = {name: rank for rank, name in enumerate(SLOW_RELATED, start=len(_FUSION) * 2)}


def rank_part(method: str, *, fold: int, is_record: bool) -> tuple[int, int]:
    """Return when a part comes: first all quick ones, then fold by fold.

    >>> rank_part("ss", fold=2, is_record=False) < rank_part("mart", fold=0, is_record=False)
    True
    >>> rank_part("wu", fold=0, is_record=False) < rank_part("mart", fold=1, is_record=False)
    True
    """
    rank = (_RECORDS if is_record else _FUSION | _RELATED).get(method)
    return (0, 0) if rank is None else (1 + fold, rank)


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
    def rank(self) -> tuple[int, int]:
        """Return when the part is computed."""
        return rank_part(self.method, fold=self.fold, is_record=bool(self.shape))

    @property
    def group(self) -> str:
        """Return what the part belongs to, as it is shown."""
        if not self.shape:
            return f"fusion of {self.lists} lists, fold {self.fold + 1}"
        return f"{self.shape} records{', to the same NDCG' if self.is_target else ''}"


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

    def parts(self) -> list[PaperPart]:
        """Return all parts, in the order of the tables."""
        return [*self._fusion_parts(), *self._record_parts()]

    def chosen_record_methods(self) -> tuple[RecordsMethod, ...]:
        """Return the learners of record weights."""
        return choose_records_methods(self.record_methods, self.ranklib)

    def fusion_methods(self, lists: int) -> dict[str, Method]:
        """Return the methods that fuse this number of lists, by name."""
        if lists != self.lists[0]:
            chosen = choose_methods(OTHER_METHODS)
        else:
            variants = search_variants(lists) if self.sensitivity else ()
            chosen = (*choose_methods(self.methods, self.ranklib), *variants)
        return {method.name: method for method in chosen}

    def key(self, part: PaperPart) -> str:
        """Return what a part depends on."""
        data = f"{self.queries} {self.folds} {part.lists}"
        if part.shape:
            data = f"{part.shape} {self.record_queries}"
        key = f"{__version__} {data} {self.seed}"
        if self.ranklib and part.method.startswith(RANKLIB_PREFIX):
            return f"{key} {self.ranklib.memory_mb} MB"
        return key

    def budget_of(self, part: PaperPart) -> float:
        """Return the seconds of CPU that the learner of a part may train."""
        return self.limits.budget_of(part.method.startswith(RANKLIB_PREFIX)).seconds

    def _fusion_parts(self) -> Iterator[PaperPart]:
        for lists in self.lists:
            for fold in range(self.folds):
                for method in self.fusion_methods(lists):
                    name = f"fusion{lists}_fold{fold}_{method}"
                    yield PaperPart(name=name, method=method, lists=lists, fold=fold)

    def _record_parts(self) -> Iterator[PaperPart]:
        names, end = [method.name for method in self.chosen_record_methods()], f"seed{self.seed}"
        for shape in self.shapes:
            for name in names:
                yield PaperPart(name=f"{shape}_{name}_{end}", method=name, shape=shape)
            for name in names if DEFAULT in names else ():
                if name.startswith(ASCENT_PREFIX):
                    title = f"{shape}_{name}_target_{end}"
                    yield PaperPart(name=title, method=name, shape=shape, is_target=True)
