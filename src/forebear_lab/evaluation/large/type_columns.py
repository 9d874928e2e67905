"""The types of many documents at once, from a file of types or from runs, one a type."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from forebear.kernels.ndcg import Integers
from forebear_lab.evaluation import document_types
from forebear_lab.evaluation.large.run_columns import read_run_columns
from forebear_lab.evaluation.large.text_columns import LeftToLines, Words, read_columns


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TypeColumns:
    """Documents with the number of their type, and how many of each a query has."""

    documents: Words
    types: Integers
    names: tuple[str, ...]
    supply: Mapping[str, Integers] | None = None  # by query, a number for each type

    def __post_init__(self) -> None:
        if (self.types != self.types[self.documents.matches(self.documents)]).any():
            raise LeftToLines  # a document has two types

    def of(self, documents: Words) -> Integers:
        """Return the type of each document; one without a type is left to the other reader."""
        types = self.known(documents)
        if (types < 0).any():
            raise LeftToLines
        return types

    def known(self, documents: Words) -> Integers:
        """Return the type of each document, -1 for one that has none."""
        rows = self.documents.matches(documents)
        return np.where(rows < 0, -1, self.types[rows])

    def supply_of(self, queries: Sequence[str]) -> Integers | None:
        """Return how many documents of each type each query could have been shown."""
        if self.supply is None:
            return None
        nothing = np.zeros(len(self.names), np.int64)
        rows = [self.supply.get(query, nothing) for query in queries]
        return np.array(rows, np.int64).reshape(len(queries), len(self.names))


def read_type_columns(path: Path) -> TypeColumns:
    """Read which type each document has."""
    columns = read_columns(path, columns=document_types.COLUMNS, keep=("document", "type"))
    types, names = columns["type"].codes()
    return TypeColumns(documents=columns["document"], types=types, names=names)


def read_type_run_columns(folder: Path) -> TypeColumns:
    """Read the runs of a folder, one a type."""
    files = document_types.type_run_files(folder)
    grouped = [read_run_columns(path).found for path in files.values()]
    supply: dict[str, Integers] = {}
    for number, run in enumerate(grouped):
        for query, size in zip(run.queries, np.diff(run.offsets).tolist(), strict=True):
            supply.setdefault(query, np.zeros(len(files), np.int64))[number] = size
    return TypeColumns(
        documents=_join([run.documents for run in grouped]),
        types=np.repeat(np.arange(len(files)), [len(run.documents) for run in grouped]),
        names=tuple(files),
        supply=supply,
    )


def _join(parts: Sequence[Words]) -> Words:
    sizes = [part.data.size for part in parts]
    shifts = np.cumsum([0, *sizes[:-1]])
    return Words(
        data=np.concatenate([part.data for part in parts]),
        bounds=np.concatenate([p.bounds + shift for p, shift in zip(parts, shifts, strict=True)]),
    )
