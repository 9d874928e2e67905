"""The score, fast: clause bits of many personas at once, and their sums.

A persona is a run of term numbers, and every distinct condition of the clauses is a column.
One sorted lookup says which terms of which persona satisfy which condition; the clauses
are then plain boolean arithmetic on columns, and the score is bits times weights, in whole
64ths of a bit, so that it is exact and the same everywhere.

``Clause.fires_on`` is the definition; this must agree with it to the last bit.
"""

from collections.abc import Callable, Mapping, Sequence
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

    def numbers_of(condition: Condition) -> Ints:
        found = [term_ids[term] for term in condition if term in term_ids]
        return np.array(sorted(found), dtype=np.int64)

    return compile_conditions(clauses, numbers_of)


def compile_conditions(
    clauses: Sequence[Clause], numbers_of: Callable[[Condition], Ints]
) -> CompiledClauses:
    """Return clauses over the term numbers that each of their conditions comes to."""
    columns: dict[Condition, int] = {}
    for clause in clauses:
        for condition in (*clause.wanted, clause.unwanted):
            if condition:
                columns.setdefault(condition, len(columns))
    numbers = [numbers_of(condition) for condition in columns]
    term_ids = np.concatenate([np.zeros(0, np.int64), *numbers])
    term_columns = np.repeat(np.arange(len(columns)), [len(each) for each in numbers])
    order = np.argsort(term_ids, kind="stable")
    return CompiledClauses(
        clauses=tuple(clauses),
        columns=columns,
        term_ids=term_ids[order],
        term_columns=term_columns[order],
    )


def clause_bits(compiled: CompiledClauses, personas: Ints, bounds: Ints) -> Bits:
    """Return one row a persona and one column a clause: which clauses fire.

    ``personas`` holds the term numbers of all personas one after the other; persona i has
    those from ``bounds[i]`` to ``bounds[i + 1]``.
    """
    held = _conditions_held(compiled, personas, bounds)
    columns, clauses = compiled.columns, compiled.clauses
    # Most clauses want one condition: their first is their answer, and the others are counted.
    bits = held[:, [columns[clause.wanted[0]] for clause in clauses]]
    for position, clause in enumerate(clauses):
        if len(clause.wanted) > 1:
            wanted = [columns[condition] for condition in clause.wanted]
            bits[:, position] = held[:, wanted].sum(axis=1) >= clause.least
    unwanted = {
        at: columns[clause.unwanted] for at, clause in enumerate(clauses) if clause.unwanted
    }
    bits[:, list(unwanted)] &= ~held[:, list(unwanted.values())]
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
