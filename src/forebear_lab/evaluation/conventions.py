"""What a measure leaves open, and tools decide differently: conventions, stated.

Ties: documents with equal scores have no order of their own.

- `docno`: the one whose name sorts later comes first, as in trec_eval;
- `average`: the mean over every order they could have, as in scikit-learn;
- `pessimistic`: the less relevant first (of equally relevant ones, by name), as in FastRank;
- `given`: as the file has them, as in RankLib.

A query without a relevant document cannot be answered well or badly.  It counts 0 (`zero`,
as RankLib has it), 1 (`one`, as allRank has it), or is left out (`skip`).  That is asked by
measures of relevance only: how varied a list is does not depend on judgments.

What no convention changes: the ideal is over all judged documents of a query, found or not,
and every judged query counts, also one that the run does not answer: that is 0.
"""

from dataclasses import dataclass
from typing import Literal

Ties = Literal["docno", "average", "pessimistic", "given"]
WithoutRelevant = Literal["zero", "skip", "one"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conventions:
    """How ties are broken, and what a query without a relevant document counts."""

    ties: Ties = "docno"
    without_relevant: WithoutRelevant = "zero"


TREC_EVAL = Conventions()
