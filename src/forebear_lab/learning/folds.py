"""How well does a learner do on queries it has not seen?  Learn and test by folds.

Each query is tested once, by a model that was learned from other queries.  The folds are drawn from
one file by query (or by group of queries), or they are given, as in LETOR: folders Fold1, Fold2 ...
with train.txt, vali.txt and test.txt.  All tested queries together make one run, so that two
learners can be compared on all queries of the data.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from forebear.errors import InputError
from forebear.learning.coordinate_ascent import mean_ndcg
from forebear.learning.dataset import FusionDataset, Progress, RankingDataset, no_progress
from forebear.learning.measures import Gain, k_folds
from forebear.trec import Qrels, Run
from forebear_lab.learning.apply import (
    Documents,
    LearnedModel,
    documents_of,
    fuse_lists,
    rank_vectors,
)
from forebear_lab.learning.combining import Combination, CombinationNorm
from forebear_lab.learning.files import read_ranking, with_gain, with_width
from forebear_lab.learning.learn import FusionLearner, WeightLearner

_Dataset = TypeVar("_Dataset", FusionDataset, RankingDataset)
_FOLD = re.compile(r"fold[ _-]?(\d+)", re.IGNORECASE)
TRAIN, VALIDATION, TEST = "train.txt", "vali.txt", "test.txt"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldOutcome:
    """What was learned in one fold, and how its test queries are ranked."""

    name: str
    learned: int  # queries
    tested: int
    train: float  # mean NDCG
    test: float
    model: LearnedModel
    run: Run
    qrels: Qrels | None = None  # where the data has no judgments beside it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class VectorFold:
    """Feature vectors to learn from and to test on."""

    name: str
    train: RankingDataset
    test: RankingDataset
    documents: Documents  # of the test queries
    validation: RankingDataset | None = None

    def learn(
        self, learner: WeightLearner, *, gain: Gain, top: int, progress: Progress = no_progress
    ) -> FoldOutcome:
        """Learn weights, and rank the test queries by them."""
        names = self.train.feature_names
        train = with_gain(self.train, gain)
        validation = self.validation and with_width(with_gain(self.validation, gain), names)
        model, _ = learner.fit(train, validation=validation, progress=progress)
        test = with_width(with_gain(self.test, gain), names)
        value = mean_ndcg(test, model.values(), cutoff=learner.cutoff)
        ranking = rank_vectors(model, self.test, self.documents, top=top)
        return FoldOutcome(
            name=self.name,
            learned=len(train.query_ids),
            tested=len(test.query_ids),
            train=model.notes["train"],
            test=value,
            model=model.with_notes(test=value),
            run=ranking.run,
            qrels=ranking.qrels,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ListFold:
    """Disjoint lists to learn from and to test on."""

    name: str
    train: FusionDataset
    test: FusionDataset
    runs: Mapping[str, Run]  # of the test queries

    def learn(
        self, learner: FusionLearner, *, top: int, progress: Progress = no_progress
    ) -> FoldOutcome:
        """Learn a fusion, and fuse the lists of the test queries by it."""
        model, _ = learner.fit(self.train, progress=progress)
        value = model.value(self.test, cutoff=learner.cutoff)
        return FoldOutcome(
            name=self.name,
            learned=len(self.train.query_ids),
            tested=len(self.test.query_ids),
            train=model.notes["train"],
            test=value,
            model=model.with_notes(test=value),
            run=fuse_lists(model, self.runs, top=top),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CombinationFold:
    """Lists that share documents, to learn from and to test on."""

    name: str
    train: RankingDataset  # one feature a list
    test: RankingDataset
    runs: Mapping[str, Run]
    norm: CombinationNorm

    def learn(
        self, learner: WeightLearner, *, top: int, progress: Progress = no_progress
    ) -> FoldOutcome:
        """Learn the weights of the lists, and combine those of the test queries."""
        model = learn_combination(self.train, learner, self.norm, progress=progress)
        value = mean_ndcg(self.test, np.array([*model.weights.values()]), cutoff=learner.cutoff)
        return FoldOutcome(
            name=self.name,
            learned=len(self.train.query_ids),
            tested=len(self.test.query_ids),
            train=model.notes["train"],
            test=value,
            model=model.with_notes(test=value),
            run=model.fuse(self.runs, top=top),
        )


def learn_combination(
    dataset: RankingDataset,
    learner: WeightLearner,
    norm: CombinationNorm,
    *,
    validation: RankingDataset | None = None,
    progress: Progress = no_progress,
) -> Combination:
    """Learn the weights of lists that share documents: those of a linear model of their scores."""
    model, _ = learner.fit(dataset, validation=validation, progress=progress)
    return Combination(method="comb_sum", norm=norm, weights=model.weights, notes=model.notes)


def split_vectors(path: Path, count: int, groups: Mapping[str, str], seed: int) -> list[VectorFold]:
    """Divide the queries of one file into folds; groups of queries stay in one."""
    dataset = read_ranking(path)
    documents = dict(zip(dataset.query_ids, documents_of(dataset, path), strict=True))
    return [
        VectorFold(
            name=name,
            train=train,
            test=test,
            documents=[documents[query] for query in test.query_ids],
        )
        for name, train, test in _divide(dataset, count, groups, seed)
    ]


def split_lists(
    dataset: FusionDataset,
    runs: Mapping[str, Run],
    count: int,
    groups: Mapping[str, str],
    seed: int,
) -> list[ListFold]:
    """Divide the queries of disjoint lists into folds."""
    return [
        ListFold(name=name, train=train, test=test, runs=runs_of_queries(runs, test.query_ids))
        for name, train, test in _divide(dataset, count, groups, seed)
    ]


def split_combination(
    dataset: RankingDataset,
    runs: Mapping[str, Run],
    norm: CombinationNorm,
    count: int,
    groups: Mapping[str, str],
    seed: int,
) -> list[CombinationFold]:
    """Divide the queries of lists that share documents into folds."""
    return [
        CombinationFold(
            name=name,
            train=train,
            test=test,
            runs=runs_of_queries(runs, test.query_ids),
            norm=norm,
        )
        for name, train, test in _divide(dataset, count, groups, seed)
    ]


def _divide(
    dataset: _Dataset, count: int, groups: Mapping[str, str], seed: int
) -> Iterator[tuple[str, _Dataset, _Dataset]]:
    """Yield the name, the training queries and the test queries of each fold."""
    folds = k_folds(fold_keys(dataset.query_ids, groups), count, seed)
    for number, (learned, held) in enumerate(folds, start=1):
        yield f"Fold{number}", dataset.take(learned), dataset.take(held)


def read_letor_folds(folder: Path) -> list[VectorFold]:
    """Read the folds that a folder has, as LETOR has them: Fold1/train.txt, and so on."""
    numbered = {
        int(match[1]): path
        for path in sorted(folder.iterdir())
        if path.is_dir() and (match := _FOLD.fullmatch(path.name))
    }
    if not numbered:
        raise InputError(
            f"{folder} has no folds: expected folders Fold1, Fold2 ... with {TRAIN} and {TEST}",
            hint="give one file of vectors to divide it into folds",
        )
    folds = [_read_fold(path) for _, path in sorted(numbered.items())]
    tested: dict[str, str] = {}
    for fold in folds:
        for query in fold.test.query_ids:
            if tested.setdefault(query, fold.name) != fold.name:
                raise InputError(
                    f"query {query!r} is tested in {tested[query]} and in {fold.name}",
                    hint="each query is in the test.txt of one fold only",
                )
    return folds


def _read_fold(folder: Path) -> VectorFold:
    for name in (TRAIN, TEST):
        if not (folder / name).is_file():
            raise InputError(f"{folder} has no {name}", hint="a fold has train.txt and test.txt")
    test = read_ranking(folder / TEST)
    validation = folder / VALIDATION
    return VectorFold(
        name=folder.name,
        train=read_ranking(folder / TRAIN),
        test=test,
        documents=documents_of(test, folder / TEST),
        validation=read_ranking(validation) if validation.is_file() else None,
    )


def fold_keys(query_ids: Sequence[str], groups: Mapping[str, str]) -> list[str]:
    """Return what keeps queries in one fold: their group, or the query itself."""
    return [groups.get(query, f"query {query}") for query in query_ids]


def runs_of_queries(runs: Mapping[str, Run], queries: Sequence[str]) -> dict[str, Run]:
    """Return the runs of these queries only."""
    return {
        name: replace(
            run, scores={query: run.scores[query] for query in queries if query in run.scores}
        )
        for name, run in runs.items()
    }


def join_outcomes(outcomes: Sequence[FoldOutcome]) -> tuple[Run, Qrels | None]:
    """Return the run of all tested queries, and their judgments where the data has them."""
    scores = {query: of_query for fold in outcomes for query, of_query in fold.run.scores.items()}
    judged = [fold.qrels for fold in outcomes if fold.qrels]
    grades = {query: of_query for qrels in judged for query, of_query in qrels.grades.items()}
    return Run(scores=scores), Qrels(grades=grades) if judged else None


def mean_test(outcomes: Sequence[FoldOutcome]) -> float:
    """Return the mean NDCG over all tested queries."""
    tested = sum(fold.tested for fold in outcomes)
    return sum(fold.test * fold.tested for fold in outcomes) / tested
