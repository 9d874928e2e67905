"""Scores of each list made comparable, query by query: what search engines do before fusing.

    min_max   (score - least) / (most - least), but never below 0.001; a list whose scores are
              all the same has 1 throughout
    l2        score / square root of the sum of the list's squared scores

Both are OpenSearch's, so that weights learned after them can run there (it raises only the last
record to 0.001, which may then pass one that is a hair above it).  They forget how good a
list is for the query as a whole, which is why learning on the scores as they are does better.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset

Norm = Literal["none", "min_max", "l2"]
Row = NDArray[np.float64]

LEAST = 0.001  # what OpenSearch gives the last record instead of 0


def normalize_list(scores: Row, norm: Norm) -> Row:
    """Return one list's scores for one query, normalized."""
    return NORMS[norm](scores) if scores.size else scores


def normalize_lists(dataset: FusionDataset, norm: Norm) -> FusionDataset:
    """Return the dataset with every list of every query normalized."""
    if norm == "none":
        return dataset
    scores = np.asarray(dataset.scores, np.float64)
    filled = np.flatnonzero(np.diff(dataset.offsets))
    starts, ends = dataset.offsets[filled], dataset.offsets[filled + 1]
    sizes = ends - starts
    if norm == "l2":
        squares = np.add.reduceat(scores**2, starts) if starts.size else np.zeros(0)
        lengths = np.repeat(np.sqrt(squares), sizes)
        return replace(dataset, scores=_divided(scores, lengths))
    # Lists are sorted: the first score is the most, the last the least.
    most, least = np.repeat(scores[starts], sizes), np.repeat(scores[ends - 1], sizes)
    return replace(dataset, scores=_between(scores, least, most))


def to_bits(dataset: FusionDataset) -> FusionDataset:
    """Return positive scores as bits, log2, in which a weight is a shift.

    They are rounded to 32 bits, which keeps their order and halves what is searched through.
    """
    if dataset.scores.size and dataset.scores.min() <= 0:
        raise InputError(
            f"a score is {dataset.scores.min()}, and weights multiply only scores above 0",
            hint="scores that may be 0 or less are shifted: say that they are bits",
        )
    return replace(dataset, scores=np.log2(dataset.scores, dtype=np.float32, casting="same_kind"))


def _between(scores: Row, least: Row, most: Row) -> Row:
    same = most == least
    shares = (scores - least) / np.where(same, 1.0, most - least)
    return np.where(same, 1.0, np.maximum(shares, LEAST))


def _divided(scores: Row, lengths: Row) -> Row:
    return np.asarray(scores / np.where(lengths == 0, 1.0, lengths), np.float64)


NORMS: dict[Norm, Callable[[Row], Row]] = {
    "none": lambda scores: scores,
    "min_max": lambda scores: _between(scores, scores.min(), scores.max()),
    "l2": lambda scores: _divided(scores, np.sqrt((scores**2).sum())),
}
