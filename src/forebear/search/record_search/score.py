"""The score, fast: clause bits of many personas at once, and their sums.

A persona is a run of term numbers, and every distinct condition of the clauses is a column.
One table says which conditions a term serves, and the union over the terms of a persona which
conditions it holds; the clauses are then plain boolean arithmetic on columns, and the score is
bits times weights, in whole 64ths of a bit, so that it is exact and the same everywhere.

``Clause.fires_on`` is the definition; this must agree with it to the last bit.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from forebear.search.expansion.catalog import Clause, Condition

WORD_BITS = 64

Ints = NDArray[np.int64]
Bits = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledClauses:
    """Clauses over term numbers instead of terms."""

    clauses: tuple[Clause, ...]
    columns: Mapping[Condition, int]  # each distinct condition, and its column
    term_ids: Ints  # with repeats where a term serves several conditions
    term_columns: Ints  # the column each of them satisfies


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
        for condition in clause.any_of:
            columns.setdefault(condition, len(columns))
        if clause.none_of:
            columns.setdefault(clause.none_of, len(columns))
    numbers = [numbers_of(condition) for condition in columns]
    term_ids = array("i")
    for each in numbers:
        term_ids.extend(each)
    return CompiledClauses(
        clauses=tuple(clauses),
        columns=columns,
        term_ids=np.frombuffer(term_ids, np.int32),
        term_columns=np.repeat(np.arange(len(columns)), [len(each) for each in numbers]),
    )


def clause_bits(compiled: CompiledClauses, personas: Ints, bounds: Ints) -> Bits:
    """Return one row a persona and one column a clause: which clauses fire.

    ``personas`` holds the term numbers of all personas one after the other; persona i has
    those from ``bounds[i]`` to ``bounds[i + 1]``.
    """
    held = _conditions_held(compiled, personas, bounds)
    columns, clauses = compiled.columns, compiled.clauses
    # Most clauses want one condition: their first is their answer, and the others are counted.
    bits = held[:, [columns[clause.any_of[0]] for clause in clauses]]
    several = [at for at, clause in enumerate(clauses) if len(clause.any_of) > 1]
    if several:
        wanted = [[columns[each] for each in clauses[at].any_of] for at in several]
        firsts = np.cumsum([0, *map(len, wanted[:-1])])
        # A condition a row: then the sums run along the rows, and there are few of them.
        flat = np.ascontiguousarray(held[:, list(chain.from_iterable(wanted))].T)
        counts = np.add.reduceat(flat, firsts, axis=0, dtype=np.int16)
        bits[:, several] = [clauses[at].least for at in several] <= counts.T
    unwanted = {at: columns[clause.none_of] for at, clause in enumerate(clauses) if clause.none_of}
    bits[:, list(unwanted)] &= ~held[:, list(unwanted.values())]
    return bits


def scores(bits: Bits, weights: Sequence[int]) -> Ints:
    """Return the score of each persona, in 64ths of a bit."""
    total: Ints = bits.astype(np.int64) @ np.asarray(weights, dtype=np.int64)
    return total


def _conditions_held(compiled: CompiledClauses, personas: Ints, bounds: Ints) -> Bits:
    """Return one row a persona and one column a condition: the union of what its terms serve."""
    rows, served = _served(compiled, int(personas.max(initial=0)))
    terms = rows[personas]
    matched = np.flatnonzero(terms)
    cuts = np.searchsorted(matched, bounds)
    someone = np.flatnonzero(np.diff(cuts))
    held = np.zeros((len(bounds) - 1, served.shape[1]), served.dtype)
    if len(someone):
        held[someone] = np.bitwise_or.reduceat(
            served.take(terms[matched], axis=0), cuts[someone], axis=0
        )
    bits = np.unpackbits(held.view(np.uint8), axis=1, count=len(compiled.columns))
    return bits.view(np.bool_)


def _served(compiled: CompiledClauses, last: int) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """Return a row for every term number up to the last, and which conditions a row serves.

    Row 0 is for terms that nobody asks for.  Conditions are bits, and words of them are united.
    """
    is_there = compiled.term_ids <= last
    ids, columns = compiled.term_ids[is_there], compiled.term_columns[is_there]
    rows = np.zeros(last + 1, np.int32)
    rows[ids] = np.arange(len(ids))  # of a term that comes several times one place stays
    one_each = ids[rows[ids] == np.arange(len(ids))]
    rows[one_each] = np.arange(1, len(one_each) + 1)
    words = -(-len(compiled.columns) // WORD_BITS)
    served = np.zeros((len(one_each) + 1, words * WORD_BITS), np.bool_)
    served[rows[ids], columns] = True
    return rows, np.packbits(served, axis=1).view(np.uint64)
