"""The score, fast: clause bits of many personas at once, and their sums.

A persona is a run of term numbers, and every distinct condition of the clauses is a column.
One table says which condition a term serves, and so which persona holds which condition; the
clauses are then plain boolean arithmetic on columns, and the score is bits times weights, in
whole 64ths of a bit, so that it is exact and the same everywhere.

``Clause.fires_on`` is the definition; this must agree with it to the last bit.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

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
    term_ids: Ints  # distinct and sorted
    starts: Ints  # where the columns begin that each of them serves, and where the last end
    term_columns: Ints


def compile_clauses(clauses: Sequence[Clause], term_ids: Mapping[str, int]) -> CompiledClauses:
    """Return clauses over term numbers; a term the archive lacks can never fire."""

    def numbers_of(condition: Condition) -> list[int]:
        return [term_ids[term] for term in condition if term in term_ids]

    return compile_conditions(clauses, numbers_of)


def compile_conditions(
    clauses: Sequence[Clause], numbers_of: Callable[[Condition], Sequence[int]]
) -> CompiledClauses:
    """Return clauses over the term numbers that each of their conditions comes to."""
    columns: dict[Condition, int] = {}
    for clause in clauses:
        for condition in clause.wanted:
            columns.setdefault(condition, len(columns))
        if clause.unwanted:
            columns.setdefault(clause.unwanted, len(columns))
    numbers = [numbers_of(condition) for condition in columns]
    every_id = np.array(list(chain.from_iterable(numbers)), np.int64)
    every_column = np.repeat(np.arange(len(columns)), [len(each) for each in numbers])
    order = np.argsort(every_id, kind="stable")
    term_ids, starts = np.unique(every_id[order], return_index=True)
    return CompiledClauses(
        clauses=tuple(clauses),
        columns=columns,
        term_ids=term_ids,
        starts=np.append(starts, len(every_id)),
        term_columns=every_column[order],
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
    several = [at for at, clause in enumerate(clauses) if len(clause.wanted) > 1]
    if several:
        wanted = [[columns[each] for each in clauses[at].wanted] for at in several]
        firsts = np.cumsum([0, *map(len, wanted[:-1])])
        flat = held[:, list(chain.from_iterable(wanted))]
        counts = np.add.reduceat(flat, firsts, axis=1, dtype=np.int32)
        bits[:, several] = counts >= [clauses[at].least for at in several]
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
    # For every term number there may be: the place of the term among those asked for, from 1.
    places = np.zeros(int(personas.max(initial=0)) + 1, np.int32)
    asked = np.searchsorted(compiled.term_ids, len(places))
    places[compiled.term_ids[:asked]] = np.arange(1, asked + 1)
    found = places[personas]
    matched = np.flatnonzero(found)
    terms = found[matched] - 1
    firsts = compiled.starts[terms]
    repeats = compiled.starts[terms + 1] - firsts
    rows = np.repeat(np.searchsorted(bounds, matched, side="right") - 1, repeats)
    # Within each matched term: 0, 1, 2, ... over the conditions it serves.
    ends = np.cumsum(repeats)
    steps = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - repeats, repeats)
    held[rows, compiled.term_columns[np.repeat(firsts, repeats) + steps]] = True
    return held
