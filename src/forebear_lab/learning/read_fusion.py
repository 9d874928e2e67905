"""Lists to be fused from files: TREC runs with judgments, or arrays in a NumPy file.

A list is named by its file: `census.trec` is `census`.  The queries are those with a relevant
document; one that no list answers stays, and counts 0.  A relevant document that no list
found stays in the ideal.  The lists must be disjoint; a relevant document in two of them would
be counted twice and is refused.

In the NumPy file, as `make_ranking_data.py` writes it, list j of query q is
``s[ptr[q * lists + j]:ptr[q * lists + j + 1]]``, best first, with its labels in ``y``; the
first two thirds of the queries are for training.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset, bounds
from forebear.trec import Qrels, read_qrels, read_run
from forebear_lab.evaluation.files import is_large
from forebear_lab.learning.judged_list import JudgedList
from forebear_lab.learning.npz_files import read_arrays

_SUFFIXES = (".gz", ".run", ".trec", ".txt", ".res")


def list_name(path: Path) -> str:
    """Return the name of the list in a file.

    >>> list_name(Path("lists/census.trec.gz"))
    'census'
    """
    name = path.name
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def read_fusion_runs(paths: Sequence[Path], qrels: Path) -> FusionDataset:
    """Read TREC runs, one a list, and their judgments."""
    grades = read_qrels(qrels).grades
    useful = {
        query: {document: grade for document, grade in judged.items() if grade > 0}
        for query, judged in grades.items()
    }
    judged = Qrels(grades={query: found for query, found in useful.items() if found})
    if not judged.grades:
        raise InputError(f"{qrels}: no document is relevant, so there is nothing to learn from")
    names = [list_name(path) for path in paths]
    read = _read_large if is_large(*paths) else _read_list
    lists = [read(path, qrels, judged) for path in paths]
    _check_disjoint(names, lists)
    found = frozenset().union(*(one.relevant for one in lists))
    unfound = {
        number: tuple(grade for document, grade in grades.items() if (query, document) not in found)
        for number, (query, grades) in enumerate(judged.grades.items())
    }
    return _join(names, lists, judged, {n: grades for n, grades in unfound.items() if grades})


def read_fusion_npz(path: Path) -> tuple[FusionDataset, FusionDataset]:
    """Read the lists for training and those for testing from a NumPy file."""
    scores, labels, offsets, lists = read_arrays(path, ["s", "y", "ptr", "lists"])
    count = int(lists)
    if count < 1 or (offsets.size - 1) % count:
        raise InputError(f"{path}: {offsets.size - 1} lists are no multiple of {count}")
    queries = (offsets.size - 1) // count
    dataset = FusionDataset(
        scores=scores if scores.dtype == np.float32 else scores.astype(np.float64),
        labels=labels.astype(np.int64),
        offsets=offsets.astype(np.int64),
        list_names=tuple(f"list{number:02d}" for number in range(count)),
        query_ids=tuple(f"q{number}" for number in range(queries)),
    )
    cut = queries * 2 // 3
    return dataset.take(np.arange(cut)), dataset.take(np.arange(cut, queries))


def _read_large(path: Path, qrels: Path, judged: Qrels) -> JudgedList:
    from forebear_lab.learning.read_fusion_large import read_large_list  # loads numba

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
                    hint="lists to be fused must be disjoint: one list a type of record",
                )


def _join(
    names: Sequence[str],
    lists: Sequence[JudgedList],
    judged: Qrels,
    unfound: dict[int, tuple[int, ...]],
) -> FusionDataset:
    sizes = np.stack([one.sizes for one in lists], axis=1)  # a row a query, a column a list
    offsets = bounds(sizes.ravel().tolist())
    scores = np.empty(offsets[-1])
    labels = np.empty(offsets[-1], np.int64)
    for number, one in enumerate(lists):
        own = bounds(one.sizes.tolist())
        shifts = offsets[number : -1 : len(lists)] - own[:-1]
        rows = np.arange(own[-1]) + np.repeat(shifts, one.sizes)
        scores[rows], labels[rows] = one.scores, one.labels
    return FusionDataset(
        scores=scores,
        labels=labels,
        offsets=offsets,
        list_names=tuple(names),
        query_ids=tuple(judged.grades),
        unfound=unfound,
    )
