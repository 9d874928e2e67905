"""Many lists in one flat array: where each begins, how to take some, what to refuse.

The records of cell c (a query, or one list of a query) are ``offsets[c]:offsets[c + 1]``.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError


def bounds(sizes: Sequence[int]) -> NDArray[np.int64]:
    """Return where parts of these sizes begin and, last, where they end."""
    return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))).astype(np.int64)


def records_of(
    offsets: NDArray[np.int64], cells: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the records of these cells and the cells' new bounds."""
    sizes = offsets[cells + 1] - offsets[cells]
    new = bounds(sizes.tolist())
    rows = np.arange(new[-1]) + np.repeat(offsets[cells] - new[:-1], sizes)
    return rows, new


def no_labels() -> NDArray[np.int64]:
    """Return the labels of no records."""
    return np.zeros(0, np.int64)


def check_types(**arrays: tuple[NDArray[np.generic], type[np.generic]]) -> None:
    """Refuse arrays of another type than the inner loops read."""
    for name, (array, wanted) in arrays.items():
        if array.dtype != wanted:
            raise InputError(f"{name} are of type {array.dtype}, not {np.dtype(wanted)}")


def check_features(features: NDArray[np.generic]) -> None:
    """Refuse features that are neither true or false nor finite numbers."""
    if features.dtype not in (np.bool_, np.float64):
        raise InputError(f"features are of type {features.dtype}, not bool or float64")
    if features.dtype == np.float64 and not np.isfinite(features).all():
        raise InputError("a feature is not a finite number")


def check_scores(scores: NDArray[np.generic]) -> None:
    """Refuse scores that are not finite numbers."""
    if scores.dtype not in (np.float64, np.float32):
        raise InputError(f"scores are of type {scores.dtype}, not float64 or float32")
    if not np.isfinite(scores).all():
        raise InputError("a score is not a finite number")


def check_names(names: Sequence[str], what: str) -> None:
    """Refuse a name that is given twice."""
    if len(set(names)) != len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise InputError(f"{what} {twice!r} is named twice")


def check_pair(where: str, records: int, labels: int) -> None:
    """Refuse records without labels and labels without records."""
    if records != labels:
        raise InputError(f"{where} has {records} records but {labels} labels")


def check_offsets(offsets: NDArray[np.int64], *, cells: int, records: int) -> None:
    """Refuse bounds that do not divide the records into cells."""
    check_types(offsets=(offsets, np.int64))
    if offsets.shape != (cells + 1,) or offsets[0] != 0 or offsets[-1] != records:
        raise InputError(f"offsets must be {cells + 1} numbers from 0 to {records}")
    if (np.diff(offsets) < 0).any():
        raise InputError("offsets must never decrease")


def check_labels(labels: NDArray[np.int64]) -> None:
    """Refuse grades below 0."""
    if labels.size and labels.min() < 0:
        raise InputError(f"a label is {labels.min()}; grades begin at 0")
