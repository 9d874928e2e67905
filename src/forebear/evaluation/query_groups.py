"""Which queries belong together: a query and its group a line.

Searches of one family are not independent, so an interval that takes each for a draw of its
own is too narrow.  A group is drawn, or has its sign changed, as a whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from forebear.errors import InputError
from forebear.evaluation.lines import read_rows, refuse

Floats = np.ndarray[tuple[int], np.dtype[np.float64]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedDifferences:
    """What two rankings differ by, after minus before, summed over each group of queries."""

    sums: Floats
    sizes: Floats  # how many queries each group has

    @property
    def mean(self) -> float:
        """Return the mean difference over all queries."""
        return float(self.sums.sum() / self.sizes.sum())


def read_groups(path: Path) -> dict[str, str]:
    """Read the group of each query; a query of two groups is refused."""
    groups: dict[str, str] = {}
    for number, (query, group) in read_rows(path, columns="query group"):
        if groups.setdefault(query, group) != group:
            wanted = f"one group for {query!r}, which is in {groups[query]!r} above"
            refuse(path, number, found=group, wanted=wanted)
    return groups


def pair_differences(
    before: Mapping[str, float],
    after: Mapping[str, float],
    groups: Mapping[str, str] | None = None,
) -> PairedDifferences:
    """Take the difference of two rankings query by query; without groups each is its own."""
    if not before:
        raise InputError("there is no query to compare on")
    if before.keys() != after.keys():
        alone = sorted(before.keys() ^ after.keys())
        raise InputError(f"only one of the two rankings was measured on query {alone[0]!r}")
    by_group: dict[str, list[float]] = {}
    # sorted: the answer must not depend on the order in which queries were read
    for query in sorted(before):
        group = query if groups is None else _group_of(query, groups)
        by_group.setdefault(group, []).append(after[query] - before[query])
    return PairedDifferences(
        sums=np.array([sum(values) for values in by_group.values()], dtype=np.float64),
        sizes=np.array([len(values) for values in by_group.values()], dtype=np.float64),
    )


def _group_of(query: str, groups: Mapping[str, str]) -> str:
    if query not in groups:
        raise InputError(
            f"query {query!r} has no group", hint="the file of groups must name every query"
        )
    return groups[query]
