"""What is known of each query: facts that may move the shift of a list.

A query that names a spouse is likelier to want a marriage; the facts are such things, true or
false, one row a query.  The file has a query and the facts it has on each line:

    q17 birth.year spouse
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.learning.flat_arrays import check_names, check_types
from forebear.trec import read_lines, refuse


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QueryFacts:
    """Which facts each query has."""

    names: tuple[str, ...]
    values: NDArray[np.bool_]  # a row a query, a column a fact

    def __post_init__(self) -> None:
        check_names(self.names, "fact")
        check_types(facts=(self.values, np.bool_))
        if self.values.ndim != 2 or self.values.shape[1] != len(self.names):
            raise InputError(f"facts of shape {self.values.shape} for {len(self.names)} names")

    @classmethod
    def of(cls, query_ids: Sequence[str], known: Mapping[str, frozenset[str]]) -> Self:
        """Return the facts of these queries; one that is not known has none."""
        names = sorted({fact for facts in known.values() for fact in facts})
        values = [[name in known.get(query, ()) for name in names] for query in query_ids]
        table = np.array(values, np.bool_).reshape(len(query_ids), len(names))
        return cls(names=tuple(names), values=table)

    def take(self, queries: Sequence[int] | NDArray[np.int64]) -> Self:
        """Return the facts of these queries only, given by number."""
        return type(self)(names=self.names, values=self.values[np.asarray(queries, np.int64)])


def read_facts(path: Path) -> dict[str, frozenset[str]]:
    """Read the facts of each query: a query and its facts a line."""
    known: dict[str, frozenset[str]] = {}
    for number, line in read_lines(path):
        words = line.split()
        if not words:
            continue
        if words[0] in known:
            refuse(path, number, actual=words[0], expected="each query once")
        known[words[0]] = frozenset(words[1:])
    return known
