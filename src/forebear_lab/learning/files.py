"""How are judged rankings read from files?  From LETOR text, TREC runs, or NumPy arrays.

Feature vectors come from LETOR text, LightGBM's files, or from arrays X (one row per record, one
column per feature), y (labels) and q (the number of each record's query; a query's records are
adjacent).  Features are named by their number, from 1, as in LETOR.  Where every value is 0 or 1
they are true or false.

Lists to be fused come from TREC runs with judgments, or from a NumPy file.  A list is named by its
file: `census.trec` is `census`.  The queries are those with a relevant document; one that no list
answers stays, and counts 0.  A relevant document that no list contains stays in the ideal.  The
lists must be disjoint; a relevant document in two of them would count twice and is refused.  In the
NumPy file list j of query q is ``s[ptr[q * lists + j]:ptr[q * lists + j + 1]]``, best first, with
its labels in ``y``; the first two thirds of the queries are for training.
"""

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.learning.dataset import Features, FusionDataset, RankingDataset, bounds
from forebear.learning.measures import Gain
from forebear.trec import Qrels, read_qrels, read_run
from forebear_lab.evaluation.files import is_large, list_name
from forebear_lab.evaluation.letor import read_letor

LIST_ARRAYS = ("s", "y", "ptr", "lists")  # of a NumPy file with lists to be fused


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedList:
    """One list's scores for all queries, best first, and which relevant documents it has."""

    sizes: NDArray[np.int64]  # how many documents it has for each query
    scores: NDArray[np.float64]
    labels: NDArray[np.int64]
    relevant: frozenset[tuple[str, str]]  # query and document


def read_ranking(path: Path) -> RankingDataset:
    """Read judged feature vectors."""
    if path.suffix == ".npz":
        return _read_ranking_npz(path)
    data = read_letor(path)
    return _ranking_dataset(data.features, data.labels, data.offsets, data.query_ids)


def with_width(dataset: RankingDataset, names: tuple[str, ...]) -> RankingDataset:
    """Return the dataset with these features, numbered as LETOR does.

    A file does not mention features that are 0 throughout, so one may have fewer columns than
    another; features beyond these are dropped, because nothing was learned about them.
    """
    have, want = len(dataset.feature_names), len(names)
    widened = np.pad(dataset.features[:, :want], ((0, 0), (0, max(0, want - have))))
    return RankingDataset(
        features=cast(Features, widened),
        labels=dataset.labels,
        offsets=dataset.offsets,
        feature_names=names,
        query_ids=dataset.query_ids,
    )


def with_gain(dataset: RankingDataset, gain: Gain) -> RankingDataset:
    """Return the dataset with what each grade is worth as its label: itself, or 2^grade - 1."""
    if gain == "linear":
        return dataset
    return replace(dataset, labels=2**dataset.labels - 1)


def _read_ranking_npz(path: Path) -> RankingDataset:
    features, labels, queries = read_arrays(path, ["X", "y", "q"])
    if features.ndim != 2 or labels.shape != queries.shape or labels.shape != features.shape[:1]:
        raise InputError(
            f"{path}: X of shape {features.shape}, y of {labels.shape} and q of {queries.shape} "
            "do not fit"
        )
    starts = np.flatnonzero(np.diff(queries, prepend=queries[:1] - 1))
    names = tuple(map(str, queries[starts].tolist()))
    if len(set(names)) != len(names):
        raise InputError(f"{path}: the records of a query are not adjacent in q")
    offsets = np.append(starts, labels.size).astype(np.int64)
    return _ranking_dataset(features, labels.astype(np.int64), offsets, names)


def _ranking_dataset(
    features: NDArray[np.generic],
    labels: NDArray[np.int64],
    offsets: NDArray[np.int64],
    query_ids: tuple[str, ...],
) -> RankingDataset:
    is_binary = bool(((features == 0) | (features == 1)).all())
    return RankingDataset(
        features=features.astype(np.bool_) if is_binary else features.astype(np.float64),
        labels=labels,
        offsets=offsets,
        feature_names=tuple(str(number) for number in range(1, features.shape[1] + 1)),
        query_ids=query_ids,
    )


def read_fusion_runs(paths: Sequence[Path], qrels: Path) -> FusionDataset:
    """Read TREC runs, one per list, and their judgments."""
    grades = read_qrels(qrels).grades
    useful = {
        query: {document: grade for document, grade in judged.items() if grade > 0}
        for query, judged in grades.items()
    }
    judged = Qrels(grades={query: relevant for query, relevant in useful.items() if relevant})
    if not judged.grades:
        raise InputError(f"{qrels}: no document is relevant, so there is nothing to learn from")
    names = [list_name(path) for path in paths]
    read = _read_large if is_large(*paths) else _read_list
    lists = [read(path, qrels, judged) for path in paths]
    _check_disjoint(names, lists)
    present = frozenset().union(*(one.relevant for one in lists))
    unfound = {
        number: tuple(
            grade for document, grade in grades.items() if (query, document) not in present
        )
        for number, (query, grades) in enumerate(judged.grades.items())
    }
    return _join_lists(names, lists, judged, {n: grades for n, grades in unfound.items() if grades})


def read_fusion_npz(path: Path) -> tuple[FusionDataset, FusionDataset]:
    """Read the lists for training and those for testing from a NumPy file."""
    dataset = read_all_fusion_npz(path)
    queries = len(dataset.query_ids)
    cut = queries * 2 // 3
    return dataset.take(np.arange(cut)), dataset.take(np.arange(cut, queries))


def read_all_fusion_npz(path: Path) -> FusionDataset:
    """Read all lists of a NumPy file."""
    scores, labels, offsets, lists = read_arrays(path, LIST_ARRAYS)
    count = int(lists)
    if count < 1 or (offsets.size - 1) % count:
        raise InputError(f"{path}: {offsets.size - 1} lists are no multiple of {count}")
    queries = (offsets.size - 1) // count
    return FusionDataset(
        scores=scores if scores.dtype == np.float32 else scores.astype(np.float64),
        labels=labels.astype(np.int64),
        offsets=offsets.astype(np.int64),
        list_names=tuple(f"list{number:02d}" for number in range(count)),
        query_ids=tuple(f"q{number}" for number in range(queries)),
    )


def _read_large(path: Path, qrels: Path, judged: Qrels) -> JudgedList:
    return read_large_list(path, qrels, judged) or _read_list(path, qrels, judged)


def _read_list(path: Path, _: Path, judged: Qrels) -> JudgedList:
    run = read_run(path)
    sizes, scores, labels, relevant = [], [], [], set()
    for query, grades in judged.grades.items():
        documents = run.ranked(query, ties="given")  # as the reader of large files has them
        sizes.append(len(documents))
        scores += [run.scores[query][document] for document in documents]
        labels += [grades.get(document, 0) for document in documents]
        relevant |= {(query, document) for document in documents if document in grades}
    return JudgedList(
        sizes=np.array(sizes, np.int64),
        scores=np.array(scores, np.float64),
        labels=np.array(labels, np.int64),
        relevant=frozenset(relevant),
    )


def _check_disjoint(names: Sequence[str], lists: Sequence[JudgedList]) -> None:
    seen: dict[tuple[str, str], str] = {}
    for name, one in zip(names, lists, strict=True):
        for pair in one.relevant:
            if seen.setdefault(pair, name) != name:
                raise InputError(
                    f"document {pair[1]!r} of query {pair[0]!r} is in the lists "
                    f"{seen[pair]!r} and {name!r}",
                    hint="lists that share documents are learned by `forebear learn combination`",
                )


def _join_lists(
    names: Sequence[str],
    lists: Sequence[JudgedList],
    judged: Qrels,
    unfound: dict[int, tuple[int, ...]],
) -> FusionDataset:
    sizes = np.stack([one.sizes for one in lists], axis=1)  # one row per query, one column per list
    offsets = bounds(sizes.ravel().tolist())
    scores = np.empty(offsets[-1])
    labels = np.empty(offsets[-1], np.int64)
    for number, one in enumerate(lists):
        starts = bounds(one.sizes.tolist())
        shifts = offsets[number : -1 : len(lists)] - starts[:-1]
        rows = np.arange(starts[-1]) + np.repeat(shifts, one.sizes)
        scores[rows], labels[rows] = one.scores, one.labels
    return FusionDataset(
        scores=scores,
        labels=labels,
        offsets=offsets,
        list_names=tuple(names),
        query_ids=tuple(judged.grades),
        unfound=unfound,
    )


def read_large_list(path: Path, qrels: Path, judged: Qrels) -> JudgedList | None:
    """Read a list of a large run; None if a file has a form that only the line reader knows.

    ``judged`` says which queries there are, with their relevant documents.
    """
    # Loaded late: the compiled readers of large files take a second to import.
    from forebear_lab.evaluation.large_files import (
        UnsupportedFormat,
        match_words,
        read_qrels_columns,
        read_run_columns,
    )

    try:
        run, judgments = read_run_columns(path), read_qrels_columns(qrels)
    except UnsupportedFormat:
        return None
    answered = set(run.documents.queries)
    queries = [query for query in judged.grades if query in answered]
    ranked, marked = run.documents.of(queries), judgments.documents.of(queries)
    matches, _ = match_words(ranked.documents, ranked.offsets, marked.documents, marked.offsets)
    grades = np.maximum(judgments.grades[marked.rows], 0)
    relevant = np.flatnonzero((matches >= 0) & (grades > 0))
    labels = np.zeros(ranked.rows.size, np.int64)
    labels[matches[relevant]] = grades[relevant]
    sizes = np.zeros(len(judged.grades), np.int64)
    lengths = np.diff(ranked.offsets)
    sizes[[number for number, query in enumerate(judged.grades) if query in answered]] = lengths
    scores = run.scores[ranked.rows]
    best_first = np.lexsort((-scores, np.repeat(np.arange(len(queries)), lengths)))
    owners = np.searchsorted(marked.offsets, relevant, side="right") - 1
    return JudgedList(
        sizes=sizes,
        scores=scores[best_first],
        labels=labels[best_first],
        relevant=frozenset(
            (queries[owner], marked.documents.text(row))
            for owner, row in zip(owners.tolist(), relevant.tolist(), strict=True)
        ),
    )


def has_arrays(path: Path, names: Sequence[str]) -> bool:
    """Return whether a file is a NumPy file with arrays of these names."""
    if path.suffix != ".npz":
        return False
    try:
        with zipfile.ZipFile(path) as file:
            return {f"{name}.npy" for name in names} <= set(file.namelist())
    except (OSError, zipfile.BadZipFile):
        return False  # reading it says what is wrong


def read_arrays(path: Path, names: Sequence[str]) -> list[NDArray[Any]]:
    """Return the arrays of these names; pickled objects are never loaded."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            missing = [name for name in names if name not in file]
            if missing:
                expected, present = ", ".join(names), ", ".join(file) or "nothing"
                raise InputError(f"{path}: expected the arrays {expected}; found {present}")
            return [file[name] for name in names]
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} is not a NumPy .npz file of plain arrays") from error
