"""How good is a run, by query and on average?

The queries are those of the judgments, all of them: one that the run lacks has found
nothing and counts 0, so no query can leave the average (but for those without a relevant
document, if the conventions say so).  Queries without judgments are not looked at.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from forebear.errors import InputError
from forebear.trec import Qrels, Run
from forebear_lab.evaluation.conventions import TREC_EVAL, Conventions, WithoutRelevant
from forebear_lab.evaluation.diversity_qrels import DiversityQrels
from forebear_lab.evaluation.document_types import DocumentTypes
from forebear_lab.evaluation.judge import judge_run
from forebear_lab.evaluation.measures.judged_ranking import JudgedRanking
from forebear_lab.evaluation.measures.measure import Measure


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The value of each measure for each query."""

    values: Mapping[Measure, Mapping[str, float]]

    def per_query(self, measure: Measure) -> Mapping[str, float]:
        """Return the measure of each query."""
        return self.values[measure]

    def mean(self, measure: Measure) -> float:
        """Return the mean of the measure over all judged queries that count."""
        values = self.values[measure].values()
        if not values:
            raise InputError(f"no query has a relevant document, so '{measure}' has no mean")
        return math.fsum(values) / len(values)

    def means(self) -> dict[str, float]:
        """Return the mean of each measure under its text form."""
        return {str(measure): self.mean(measure) for measure in self.values}


def evaluate(
    run: Run,
    qrels: Qrels | DiversityQrels,
    measures: Sequence[Measure],
    types: Mapping[str, str] | DocumentTypes | None = None,
    *,
    conventions: Conventions = TREC_EVAL,
) -> Evaluation:
    """Measure the run on every judged query; ``types`` gives the type of each document."""
    if not qrels.grades:
        raise InputError("no query was judged, so there is nothing to evaluate")
    by_subtopic = isinstance(qrels, DiversityQrels)
    check_inputs(measures, types_known=bool(types), by_subtopic=by_subtopic)
    known = DocumentTypes.of(types) if isinstance(types, Mapping) else types
    asked = any(looks_at_types(measure, by_subtopic=by_subtopic) for measure in measures)
    rankings = judge_run(run, qrels, known if asked else None, ties=conventions.ties)
    return Evaluation(
        values={
            measure: _measure_all(measure, rankings, conventions.without_relevant)
            for measure in measures
        }
    )


def looks_at_types(measure: Measure, *, by_subtopic: bool) -> bool:
    """Say whether a measure needs the type of every document."""
    looks_at = measure.definition.looks_at
    return looks_at == "types" or (looks_at != "grades" and not by_subtopic)


def looks_at_relevance(measure: Measure, *, by_subtopic: bool) -> bool:
    """Say whether a query without a relevant document leaves a measure nothing to see."""
    looks_at = measure.definition.looks_at
    return looks_at in ("grades", "graded aspects") or (looks_at == "aspects" and by_subtopic)


def check_inputs(measures: Sequence[Measure], *, types_known: bool, by_subtopic: bool) -> None:
    """Refuse measures that ask for what is not given."""
    for measure in measures:
        if looks_at_types(measure, by_subtopic=by_subtopic) and not types_known:
            raise InputError(
                f"measure '{measure}' needs the type of every document",
                hint="give a file with a document and its type a line (`--types FILE`), or a "
                "folder of runs, one a type (`--type-runs DIR`)",
            )


def _measure_all(
    measure: Measure, rankings: Mapping[str, JudgedRanking], without_relevant: WithoutRelevant
) -> dict[str, float]:
    values = {}
    for query, ranking in rankings.items():
        if _has_something_to_find(measure, ranking):
            values[query] = measure.of(ranking)
        elif without_relevant != "skip":
            values[query] = float(without_relevant == "one")
    return values


def _has_something_to_find(measure: Measure, ranking: JudgedRanking) -> bool:
    if not looks_at_relevance(measure, by_subtopic=not ranking.aspects.by_type):
        return True
    least = measure.settings.get("rel", 1)
    return any(grade >= least for grade in ranking.judged)
