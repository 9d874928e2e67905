"""Judged feature vectors from a file: LETOR text, or arrays X, y and q in a NumPy file.

In the arrays, as `make_ranking_data.py` writes them, X has a row a record and a column a
feature, y the labels, q the number of each record's query; the records of a query stand
together.  Features are named by their number, from 1, as in LETOR.  Where every value is 0 or
1 they are read as true or false.
"""

from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.learning.dataset import Features, RankingDataset
from forebear_lab.evaluation.letor import read_letor
from forebear_lab.learning.npz_files import read_arrays


def read_ranking(path: Path) -> RankingDataset:
    """Read judged feature vectors."""
    if path.suffix == ".npz":
        return _read_npz(path)
    data = read_letor(path)
    return _dataset(data.features, data.labels, data.offsets, data.query_ids)


def with_width(dataset: RankingDataset, names: tuple[str, ...]) -> RankingDataset:
    """Return the dataset with these features, numbered as LETOR does.

    A file says nothing of features that are 0 throughout, so one may have fewer columns than
    another; features beyond those wanted are dropped, for nothing was learned of them.
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


def _read_npz(path: Path) -> RankingDataset:
    features, labels, queries = read_arrays(path, ["X", "y", "q"])
    if features.ndim != 2 or labels.shape != queries.shape or labels.shape != features.shape[:1]:
        raise InputError(
            f"{path}: X of shape {features.shape}, y of {labels.shape} and q of {queries.shape} "
            "do not fit"
        )
    starts = np.flatnonzero(np.diff(queries, prepend=queries[:1] - 1))
    names = tuple(map(str, queries[starts].tolist()))
    if len(set(names)) != len(names):
        raise InputError(f"{path}: the records of a query do not stand together in q")
    offsets = np.append(starts, labels.size).astype(np.int64)
    return _dataset(features, labels.astype(np.int64), offsets, names)


def _dataset(
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
