"""How good is a run, by query and on average?

The queries are those of the judgments, all of them: one that the run lacks has found
nothing and counts 0, so no query can leave the average.  Queries without judgments are
not looked at.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from forebear.errors import InputError
from forebear.evaluation.measures.measure import JudgedRanking, Measure
from forebear.evaluation.measures.named import TYPED_MEASURES, measure_ranking
from forebear.evaluation.qrels import Qrels
from forebear.evaluation.runs import Run, Ties


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The value of each measure for each query."""

    values: Mapping[Measure, Mapping[str, float]]

    def per_query(self, measure: Measure) -> Mapping[str, float]:
        """Return the measure of each query."""
        return self.values[measure]

    def mean(self, measure: Measure) -> float:
        """Return the mean of the measure over all judged queries."""
        values = self.values[measure].values()
        return math.fsum(values) / len(values)

    def means(self) -> dict[str, float]:
        """Return the mean of each measure under its text form."""
        return {str(measure): self.mean(measure) for measure in self.values}


def evaluate(
    run: Run,
    qrels: Qrels,
    measures: Sequence[Measure],
    types: Mapping[str, str] | None = None,
    *,
    ties: Ties = "docno",
) -> Evaluation:
    """Measure the run on every judged query; ``types`` gives the type of each document."""
    if not qrels.grades:
        raise InputError("no query was judged, so there is nothing to evaluate")
    typed = any(measure.name in TYPED_MEASURES for measure in measures)
    type_count = len(set(types.values())) if types else 0
    rankings = {}
    for query in qrels.grades:
        documents = run.ranked(query, ties=ties)
        rankings[query] = JudgedRanking(
            gains=tuple(qrels.gain(query, document) for document in documents),
            judged=tuple(qrels.grades[query].values()),
            types=_types_of(documents, types) if typed and types else (),
            type_count=type_count,
        )
    return Evaluation(values={m: _measure_all(m, rankings) for m in measures})


def _measure_all(measure: Measure, rankings: Mapping[str, JudgedRanking]) -> dict[str, float]:
    return {query: measure_ranking(measure, ranking) for query, ranking in rankings.items()}


def _types_of(documents: Sequence[str], types: Mapping[str, str]) -> tuple[str, ...]:
    unknown = next((document for document in documents if document not in types), None)
    if unknown is not None:
        raise InputError(
            f"document {unknown!r} of the run has no type",
            hint="the file of types must name every document that the run found",
        )
    return tuple(types[document] for document in documents)
