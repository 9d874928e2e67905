"""Which collections form a list, and does another division rank better?

The paper ranks each record type by itself and fuses the lists; which collections form a list is its
partitioning scheme.  Here the same searches are made with two divisions: by record type, by
collection, or by lists from a JSON file (`{"london": ["census-1851", "census-1861"]}`; what it does
not name stays in the list of its type).  Finer lists can be weighed more exactly against each
other, but each has fewer judgments to learn from.

Fused lists are compared method by method on the same queries and folds, with NCE by record type in
both.  Record-specific weights are compared on the lists of the second division: learned from the
same lists, or from all lists of their type in the first.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from forebear.archive import Archive
from forebear.errors import InputError
from forebear.kernels.ndcg import Floats
from forebear.records.collections import CustomLists, RecordList, form_lists, with_list
from forebear_lab.evaluation.tables import Cell, Table
from forebear_lab.experiments.fusion import FusionResults
from forebear_lab.experiments.records import RecordsResults
from forebear_lab.experiments.report.page import Distance, measure_distance

BY_TYPE, BY_COLLECTION = "type", "collection"


def divide(archive: Archive, division: str) -> tuple[RecordList, ...] | None:
    """Return the lists of a division; None stands for those of the archive."""
    if not division:
        return None
    collections = archive.collections(viewer="owner")
    custom: CustomLists = {}
    if division == BY_COLLECTION:
        custom = {collection.name: (collection.name,) for collection in collections}
    elif division != BY_TYPE:
        for name, members in _read_lists(Path(division)).items():
            custom = with_list(custom, name, members, collections)
    return form_lists(collections, custom)


def division_name(division: str) -> str:
    """Return a division's name for files and tables.

    >>> division_name("type"), division_name("folder/london.json"), division_name("")
    ('type', 'london', 'archive')
    """
    return Path(division).stem if division else "archive"


def _read_lists(path: Path) -> dict[str, tuple[str, ...]]:
    try:
        value = json.loads(path.read_text("utf-8"))
        return {str(name): tuple(map(str, members)) for name, members in value.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        raise InputError(
            f"{str(path)!r} is no division into lists",
            hint='give type, collection, or a JSON file {"list": ["collection", ...]}',
        ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionRow:
    """One method under two divisions."""

    where: str  # the list, or "" for fused lists
    method: str
    measure: str
    first: float
    second: float
    distance: Distance  # of the second from the first

    def value(self) -> dict[str, Any]:
        """Return everything as plain values."""
        points = self.distance
        return {
            "list": self.where,
            "method": self.method,
            "measure": self.measure,
            "first": self.first,
            "second": self.second,
            "points": points.points,
            "points_low": points.points_low,
            "points_high": points.points_high,
        }


def compare_fusion(first: FusionResults, second: FusionResults, *, seed: int) -> list[DivisionRow]:
    """Compare every method of fusing under two divisions, query by query."""
    rows = []
    after = {one.method.name: one for one in second.methods}
    for one in first.methods:
        other = after[one.method.name]
        for measure in ("ndcg", "nce"):
            pair = _paired(
                dict(zip(first.query_ids, getattr(one, measure), strict=True)),
                dict(zip(second.query_ids, getattr(other, measure), strict=True)),
            )
            rows.append(_row("", one.method.title, measure, *pair, seed=seed))
    return rows


def compare_records(
    pairs: Sequence[tuple[RecordsResults, RecordsResults]], *, seed: int
) -> list[DivisionRow]:
    """Compare every learner on the same test lists: learned from a type, or from the list."""
    return [
        _row(of_list.data.name, one.method.title, "ndcg", one.ndcg, other.ndcg, seed=seed)
        for of_type, of_list in pairs
        for one, other in zip(of_type.methods, of_list.methods, strict=True)
    ]


def division_table(rows: Sequence[DivisionRow], names: tuple[str, str]) -> Table:
    """Return the comparison as a table."""
    lines: list[tuple[Cell, ...]] = [
        (row.where or "all", row.method, row.measure, row.first, row.second, row.distance.shown[1])
        for row in rows
    ]
    headings = ("list", "method", "measure@100", *(f"by {name}" for name in names), "points")
    return Table(headings=headings, rows=lines)


def _paired(first: dict[str, float], second: dict[str, float]) -> tuple[Floats, Floats]:
    common = [query for query in first if query in second]
    if not common:
        raise InputError("the two divisions have no query in common")
    before, after = ([values[query] for query in common] for values in (first, second))
    return np.array(before, np.float64), np.array(after, np.float64)


def _row(
    where: str, method: str, measure: str, before: Floats, after: Floats, *, seed: int
) -> DivisionRow:
    return DivisionRow(
        where=where,
        method=method,
        measure=measure,
        first=float(before.mean()),
        second=float(after.mean()),
        distance=measure_distance(before, after, seed=seed),
    )
