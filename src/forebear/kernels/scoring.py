"""How are clauses tested on thousands of personas?  In compiled loops over columns.

`forebear.search.record_search.score` has the definitions in numpy, and
`forebear.search.record_search.compiled_score` the same with these loops.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.compiled import compiled

Ints = NDArray[np.int64]
Terms = NDArray[np.int32]
Bits = NDArray[np.bool_]
Words = NDArray[np.uint64]


@compiled
def run_sums(terms: Terms, firsts: Ints, counts: Ints) -> Ints:
    """Return what `forebear.storage.columns.run_sums` does."""
    sums = np.zeros(firsts.size, np.int64)
    for run in range(firsts.size):
        total = np.int64(0)
        first = firsts[run]
        for k in range(counts[run]):
            total += np.int64(terms[first + k]) * (2 * k + 1)
        sums[run] = total
    return sums


@compiled
def conditions_held(
    terms: Terms, firsts: Ints, counts: Ints, term_ids: Terms, term_columns: Ints, words: int
) -> Words:
    """Return for each persona the union of the conditions that its terms serve.

    Most terms of a persona serve none.  A small table of bits, by a hash of the term, says so
    in one step; the others are looked up in a hash table with open addressing.
    """
    bits = 8
    while (1 << bits) < 4 * term_ids.size:
        bits += 1
    shift = np.uint64(64 - bits)
    factor = np.uint64(0x9E3779B97F4A7C15)
    last = np.int64((1 << bits) - 1)
    filter_shift = np.uint64(64 - bits - 3)
    may_serve = np.zeros(1 << (bits - 3), np.uint64)  # 8 bits for each slot
    slots = np.zeros(1 << bits, np.int32)  # the row of a term, 0 where a slot is free
    keys = np.zeros(1 << bits, np.int32)
    served = np.zeros((term_ids.size + 1, words), np.uint64)
    rows = 0
    for i in range(term_ids.size):
        hashed = np.uint64(term_ids[i]) * factor
        bit = hashed >> filter_shift
        may_serve[bit >> np.uint64(6)] |= np.uint64(1) << (bit & np.uint64(63))
        slot = np.int64(hashed >> shift)
        while slots[slot] != 0 and keys[slot] != term_ids[i]:
            slot = (slot + 1) & last
        if slots[slot] == 0:
            rows += 1
            slots[slot] = rows
            keys[slot] = term_ids[i]
        column = term_columns[i]
        served[slots[slot], column >> 6] |= np.uint64(1) << np.uint64(column & 63)
    held = np.zeros((firsts.size, words), np.uint64)
    for persona in range(firsts.size):
        for k in range(firsts[persona], firsts[persona] + counts[persona]):
            term = terms[k]
            hashed = np.uint64(term) * factor
            bit = hashed >> filter_shift
            if (may_serve[bit >> np.uint64(6)] >> (bit & np.uint64(63))) & np.uint64(1):
                slot = np.int64(hashed >> shift)
                while slots[slot] != 0 and keys[slot] != term:
                    slot = (slot + 1) & last
                row = slots[slot]
                if row != 0:
                    for word in range(words):
                        held[persona, word] |= served[row, word]
    return held


@compiled
def _holding(words: Words, any_of: Ints, first: int, end: int, none_of: int, least: int) -> Bits:
    """Return which personas a clause fires on; ``words`` has a row for each word of conditions."""
    one = np.uint64(1)
    column = any_of[first]
    word = words[column >> 6]
    shift = np.uint64(column & 63)
    fires = np.empty(word.size, np.bool_)
    if end - first == 1:
        for i in range(word.size):
            fires[i] = (word[i] >> shift) & one
    else:
        counts = np.zeros(word.size, np.int64)
        for k in range(first, end):
            word = words[any_of[k] >> 6]
            shift = np.uint64(any_of[k] & 63)
            for i in range(word.size):
                counts[i] += np.int64((word[i] >> shift) & one)
        for i in range(word.size):
            fires[i] = counts[i] >= least
    if none_of >= 0:
        word = words[none_of >> 6]
        shift = np.uint64(none_of & 63)
        for i in range(word.size):
            fires[i] &= (~(word[i] >> shift)) & one
    return fires


@compiled
def _words_of(held: Words, personas: Ints) -> Words:
    words = np.empty((held.shape[1], personas.size), np.uint64)
    for i in range(personas.size):
        for word in range(held.shape[1]):
            words[word, i] = held[personas[i], word]
    return words


@compiled
def score_clauses(
    held: Words,
    personas: Ints,
    any_of: Ints,
    bounds: Ints,
    least: Ints,
    none_of: Ints,
    clauses: Ints,
    weights: Ints,
    excluding: Bits,
) -> tuple[Ints, Bits]:
    """Return the scores of personas, and whom no excluding clause fires on.

    Clause by clause, so that the loops over personas are vector instructions.
    """
    words = _words_of(held, personas)
    totals = np.zeros(personas.size, np.int64)
    possible = np.ones(personas.size, np.bool_)
    for j in range(clauses.size):
        clause = clauses[j]
        weight = weights[j]
        if weight == 0 and not excluding[j]:
            continue
        fires = _holding(
            words, any_of, bounds[clause], bounds[clause + 1], none_of[clause], least[clause]
        )
        for i in range(personas.size):
            totals[i] += weight * np.int64(fires[i])
        if excluding[j]:
            for i in range(personas.size):
                possible[i] &= not fires[i]
    return totals, possible


@compiled
def fired_bits(
    held: Words,
    personas: Ints,
    any_of: Ints,
    bounds: Ints,
    least: Ints,
    none_of: Ints,
    clauses: Ints,
) -> Bits:
    """Return a row for each persona and a column for each of some clauses: which fire."""
    words = _words_of(held, personas)
    bits = np.empty((personas.size, clauses.size), np.bool_)
    for j in range(clauses.size):
        clause = clauses[j]
        fires = _holding(
            words, any_of, bounds[clause], bounds[clause + 1], none_of[clause], least[clause]
        )
        for i in range(personas.size):
            bits[i, j] = fires[i]
    return bits
