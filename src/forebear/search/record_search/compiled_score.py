"""The score, compiled: the same matches as `score.match`, by loops that take long to load.

To load numba takes longer than a search, so the server and batches match personas here, and a
single command does not.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.scoring import conditions_held, fired_bits, score_clauses
from forebear.search.record_search.score import (
    Bits,
    CompiledClauses,
    Ints,
    Matches,
    ScoredClauses,
    Terms,
)


def match(clauses: CompiledClauses, terms: Terms, firsts: Ints, counts: Ints) -> Matches:
    """Return which clauses fire on personas, whose terms are runs of an array."""
    held = conditions_held(
        terms, firsts, counts, clauses.term_ids, clauses.term_columns, max(1, clauses.words)
    )
    return MatchedConditions(clauses, held)


@dataclass(frozen=True, slots=True)
class MatchedConditions:
    """Which conditions hold, as words of bits for each persona; clauses are tested when needed."""

    compiled: CompiledClauses
    held: NDArray[np.uint64]

    def scores(self, personas: Ints, scored: ScoredClauses) -> tuple[Ints, Bits]:
        """Return the scores of some personas, and which of them are possible."""
        clauses = self.compiled
        totals, possible = score_clauses(
            *(self.held, personas, clauses.any_of, clauses.bounds, clauses.least, clauses.none_of),
            *(scored.clauses, scored.weights, scored.excluding),
        )
        return totals, possible

    def bits(self, personas: Ints, scored: ScoredClauses) -> Bits:
        """Return a row for each of some personas, and a column for each clause of a list."""
        clauses = self.compiled
        bits: Bits = fired_bits(
            *(self.held, personas, clauses.any_of, clauses.bounds, clauses.least, clauses.none_of),
            scored.clauses,
        )
        return bits
