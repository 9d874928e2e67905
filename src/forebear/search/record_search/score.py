"""The score, fast: clause bits of many personas at once, and their sums.

A persona is a run of term numbers, and every distinct condition of the clauses is a column.
One table says which conditions a term serves, and the union over the terms of a persona which
conditions it holds; the clauses are then plain boolean arithmetic on columns, and the score is
bits times weights, in whole 64ths of a bit, so that it is exact and the same everywhere.

``Clause.fires_on`` is the definition; this must agree with it to the last bit.
`forebear.kernels.scoring` does the same with compiled loops, which take long to load.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from forebear.search.expansion.catalog import Clause, Condition

WORD_BITS = 64

Ints = NDArray[np.int64]
Terms = NDArray[np.int32]
Bits = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledClauses:
    """Clauses over term numbers instead of terms."""

    columns: Mapping[Condition, int]  # each distinct condition, and its column
    term_ids: Terms  # with repeats where a term serves several conditions
    term_columns: Ints  # the column each of them satisfies
    any_of: Ints  # the columns of the conditions of one clause after the other
    bounds: Ints  # where those of each clause begin and end
    least: Ints  # how many of them must hold
    none_of: Ints  # the column that must not hold, -1 if there is none

    @property
    def words(self) -> int:
        """Return how many words the columns are, a bit each."""
        return -(-len(self.columns) // WORD_BITS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredClauses:
    """Which of the compiled clauses a list has, and what each is worth."""

    clauses: Ints
    weights: Ints  # in 64ths of a bit
    excluding: Bits  # clauses that make a persona impossible


class Matches(Protocol):
    """Which clauses fire on which personas, in the order of the personas."""

    def scores(self, personas: Ints, scored: ScoredClauses) -> tuple[Ints, Bits]:
        """Return the scores of some personas, and which of them are possible."""
        ...

    def bits(self, personas: Ints, scored: ScoredClauses) -> Bits:
        """Return a row for each of some personas, and a column for each clause of a list."""
        ...


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
    any_of = [
        columns.setdefault(condition, len(columns))
        for clause in clauses
        for condition in clause.any_of
    ]
    none_of = [
        columns.setdefault(clause.none_of, len(columns)) if clause.none_of else -1
        for clause in clauses
    ]
    numbers = [numbers_of(condition) for condition in columns]
    term_ids = array("i")
    for of_condition in numbers:
        term_ids.extend(of_condition)
    return CompiledClauses(
        columns=columns,
        term_ids=np.frombuffer(term_ids, np.int32),
        term_columns=np.repeat(np.arange(len(columns)), [len(ids) for ids in numbers]),
        any_of=np.array(any_of, np.int64),
        bounds=np.array([0, *accumulate(len(clause.any_of) for clause in clauses)], np.int64),
        least=np.array([clause.least for clause in clauses], np.int64),
        none_of=np.array(none_of, np.int64),
    )


def clause_bits(compiled: CompiledClauses, personas: NDArray[np.integer], bounds: Ints) -> Bits:
    """Return one row a persona and one column a clause: which clauses fire.

    ``personas`` holds the term numbers of all personas one after the other; persona i has
    those from ``bounds[i]`` to ``bounds[i + 1]``.
    """
    held = _conditions_held(compiled, personas, bounds)
    # Most clauses need one condition: their first decides, and the others are counted.
    firsts, counts = compiled.bounds[:-1], np.diff(compiled.bounds)
    bits = held[:, compiled.any_of[firsts]]
    several = np.flatnonzero(counts > 1)
    if len(several):
        runs = [
            compiled.any_of[first : first + count]
            for first, count in zip(firsts[several].tolist(), counts[several].tolist(), strict=True)
        ]
        # A condition a row: then the sums run along the rows, and there are few of them.
        flat = np.ascontiguousarray(held[:, np.concatenate(runs)].T)
        starts = np.cumsum(counts[several]) - counts[several]
        holding = np.add.reduceat(flat, starts, axis=0, dtype=np.int16)
        bits[:, several] = compiled.least[several] <= holding.T
    barred = np.flatnonzero(compiled.none_of >= 0)
    bits[:, barred] &= ~held[:, compiled.none_of[barred]]
    return bits


def scores(bits: Bits, weights: Sequence[int] | Ints) -> Ints:
    """Return the score of each persona, in 64ths of a bit."""
    # Whole numbers below 2 to the 53rd are exact as floats, which are multiplied much faster.
    total = bits.astype(np.float64) @ np.asarray(weights, dtype=np.float64)
    return total.astype(np.int64)


@dataclass(frozen=True, slots=True)
class MatchedBits:
    """Which clauses fire, as a row of bits for each persona."""

    all_bits: Bits

    def scores(self, personas: Ints, scored: ScoredClauses) -> tuple[Ints, Bits]:
        """Return the scores of some personas, and which of them are possible."""
        bits = self.bits(personas, scored)
        impossible = np.logical_or.reduce(bits[:, scored.excluding], axis=1)
        return scores(bits, scored.weights), ~impossible

    def bits(self, personas: Ints, scored: ScoredClauses) -> Bits:
        """Return a row for each of some personas, and a column for each clause of a list."""
        return self.all_bits[personas].take(scored.clauses, axis=1)


def match(compiled: CompiledClauses, terms: Terms, firsts: Ints, counts: Ints) -> Matches:
    """Return which clauses fire on personas whose terms follow each other in an array."""
    bounds = np.append(firsts, firsts[-1:] + counts[-1:] if len(firsts) else 0)
    return MatchedBits(clause_bits(compiled, terms, bounds))


def _conditions_held(
    compiled: CompiledClauses, personas: NDArray[np.integer], bounds: Ints
) -> Bits:
    """Return one row a persona and one column a condition: the union of what its terms serve."""
    rows, served = _served(compiled, int(personas.max(initial=0)))
    terms = rows[personas]
    matched = np.flatnonzero(terms)
    cuts = np.searchsorted(matched, bounds)
    with_any = np.flatnonzero(np.diff(cuts))
    held = np.zeros((len(bounds) - 1, served.shape[1]), served.dtype)
    if len(with_any):
        held[with_any] = np.bitwise_or.reduceat(
            served.take(terms[matched], axis=0), cuts[with_any], axis=0
        )
    bits = np.unpackbits(held.view(np.uint8), axis=1, count=len(compiled.columns))
    return bits.view(np.bool_)


def _served(compiled: CompiledClauses, last: int) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """Return a row for every term number up to the last, and which conditions a row serves.

    Row 0 is for terms of no condition.  Conditions are bits, and words of them are united.
    """
    is_there = compiled.term_ids <= last
    ids, columns = compiled.term_ids[is_there], compiled.term_columns[is_there]
    rows = np.zeros(last + 1, np.int32)
    rows[ids] = np.arange(len(ids))  # of a term that comes several times one place stays
    first_ids = ids[rows[ids] == np.arange(len(ids))]
    rows[first_ids] = np.arange(1, len(first_ids) + 1)
    served = np.zeros((len(first_ids) + 1, compiled.words * WORD_BITS), np.bool_)
    served[rows[ids], columns] = True
    return rows, np.packbits(served, axis=1).view(np.uint64)
