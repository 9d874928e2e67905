"""The score, fast: clause bits of many personas at once, and their sums.

A persona is a run of term numbers, and every distinct condition of the clauses is a column.
One sorted lookup says which terms of which persona satisfy which condition; the clauses
are then plain boolean arithmetic on columns, and the score is bits times weights, in whole
64ths of a bit, so that it is exact and the same everywhere.

``Clause.fires_on`` is the definition; this must agree with it to the last bit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forebear.search.expansion.clauses import Clause, Condition

Ints = NDArray[np.int64]
Bits = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledClauses:
    """Clauses over term numbers instead of terms."""

    clauses: tuple[Clause, ...]
    columns: Mapping[Condition, int]  # each distinct condition, and its column
    term_ids: Ints  # sorted, with repeats where a term serves several conditions
    term_columns: Ints  # the column each of them satisfies


def compile_clauses(clauses: Sequence[Clause], term_ids: Mapping[str, int]) -> CompiledClauses:
    """Return clauses over term numbers; a term the archive lacks can never fire."""
    columns: dict[Condition, int] = {}
    for clause in clauses:
        for condition in (*clause.wanted, clause.unwanted):
            if condition:
                columns.setdefault(condition, len(columns))
    pairs = sorted(
        (term_ids[term], column)
        for condition, column in columns.items()
        for term in condition
        if term in term_ids
    )
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return CompiledClauses(
        clauses=tuple(clauses), columns=columns, term_ids=table[:, 0], term_columns=table[:, 1]
    )


def clause_bits(compiled: CompiledClauses, personas: Ints, bounds: Ints) -> Bits:
    """Return one row a persona and one column a clause: which clauses fire.

    ``personas`` holds the term numbers of all personas one after the other; persona i has
    those from ``bounds[i]`` to ``bounds[i + 1]``.
    """
    held = _conditions_held(compiled, personas, bounds)
    bits = np.empty((len(bounds) - 1, len(compiled.clauses)), dtype=np.bool_)
    for position, clause in enumerate(compiled.clauses):
        wanted = [compiled.columns[condition] for condition in clause.wanted]
        if len(wanted) == 1:
            fires = held[:, wanted[0]].copy()
        else:
            fires = held[:, wanted].sum(axis=1) >= clause.least
        if clause.unwanted:
            fires &= ~held[:, compiled.columns[clause.unwanted]]
        bits[:, position] = fires
    return bits


def scores(bits: Bits, weights: Sequence[int]) -> Ints:
    """Return the score of each persona, in 64ths of a bit."""
    total: Ints = bits.astype(np.int64) @ np.asarray(weights, dtype=np.int64)
    return total


def _conditions_held(compiled: CompiledClauses, personas: Ints, bounds: Ints) -> Bits:
    held = np.zeros((len(bounds) - 1, len(compiled.columns)), dtype=np.bool_)
    first = np.searchsorted(compiled.term_ids, personas, side="left")
    repeats = np.searchsorted(compiled.term_ids, personas, side="right") - first
    matched = np.flatnonzero(repeats)
    repeats = repeats[matched]
    rows = np.repeat(np.searchsorted(bounds, matched, side="right") - 1, repeats)
    # Within each matched term: 0, 1, 2, ... over the conditions it serves.
    ends = np.cumsum(repeats)
    steps = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - repeats, repeats)
    held[rows, compiled.term_columns[np.repeat(first[matched], repeats) + steps]] = True
    return held
