"""Entropy, cumulative entropy and NCE over many judged lists at once."""

from forebear.kernels.nce import entropies_by_query
from forebear.kernels.ndcg import Floats
from forebear.learning.measures import nce_of_arrays
from forebear_lab.evaluation.large.judged_columns import JudgedColumns, TypedColumns
from forebear_lab.evaluation.large.text_columns import LeftToLines
from forebear_lab.evaluation.measures.definition import Options


def entropy_columns(columns: JudgedColumns, cutoff: int | None, _: Options) -> Floats:
    """Return the entropy of the types of each list."""
    return _entropies(columns, cutoff)[1]


def ce_columns(columns: JudgedColumns, cutoff: int | None, _: Options) -> Floats:
    """Return the cumulative entropy of each list."""
    return _entropies(columns, cutoff)[0]


def nce_columns(columns: JudgedColumns, cutoff: int | None, options: Options) -> Floats:
    """Return the normalized cumulative entropy of each list."""
    types = _typed(columns)
    return nce_of_arrays(
        types.ranked,
        columns.offsets,
        type_count=options["types"] or len(types.names),
        cutoff=cutoff,
        ideal=options["ideal"],
        supply=types.supply,
    )


def _entropies(columns: JudgedColumns, cutoff: int | None) -> tuple[Floats, Floats]:
    types = _typed(columns)
    depth = cutoff or max(1, types.ranked.size)
    return entropies_by_query(types.ranked, columns.offsets, len(types.names), depth)


def _typed(columns: JudgedColumns) -> TypedColumns:
    if columns.types is None:
        raise LeftToLines
    return columns.types
