"""LETOR data from a large file: the twin of `read_letor_by_line`."""

from pathlib import Path

import numpy as np

from forebear_lab.evaluation.large.text_columns import LeftToLines, Words, read_plain
from forebear_lab.evaluation.letor import MOST_FEATURES, LetorData
from forebear_lab.kernels.letor_words import letor_table, letor_width


def read_large_letor(path: Path) -> LetorData | None:
    """Read LETOR data; None if it holds something that only the reader by line knows."""
    try:
        return _read(path)
    except LeftToLines:
        return None


def _read(path: Path) -> LetorData:
    data = np.frombuffer(read_plain(path), np.uint8)
    rows, width = letor_width(data, MOST_FEATURES)
    if rows < 0:
        raise LeftToLines
    features = np.zeros((rows, width))
    labels, bounds, known = letor_table(data, features)
    if not known:
        raise LeftToLines
    queries = Words(data=data, bounds=bounds)
    starts = queries.changes()
    codes, names = queries.take(starts).codes()
    if codes.size != len(names):
        raise LeftToLines  # the lines of a query do not stand together
    return LetorData(
        features=features, labels=labels, offsets=np.append(starts, rows), query_ids=names
    )
