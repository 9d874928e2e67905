"""How good is a run, by query and on average?

A run and judgments become judged rankings (grades, types and aspects in ranked order, without
names of documents), and each measure is calculated for each query.

The queries are those of the judgments, all of them: one that the run lacks counts 0, so no query
can leave the average.  The ideal is over all judged documents of a query, in the run or not.
Queries without judgments are ignored.  Tools differ in two more things, so they are options:

- Ties, the order of documents with equal scores.  `docno`: the one whose name sorts later comes
  first, as in trec_eval.  `average`: the mean over every order they could have, as in
  scikit-learn.  `pessimistic`: the less relevant first (of equally relevant ones, by name), as in
  FastRank.  `given`: as the file has them, as in RankLib.
- A query without a relevant document cannot be answered well or badly.  It counts 0 (`zero`, as
  in RankLib), 1 (`one`, as in allRank), or is skipped (`skip`).  This concerns measures of
  relevance only: how varied a list is does not depend on judgments.

Small files are read line by line, without numerical libraries.  Large ones go through arrays and
compiled loops (`large_measures`), which give the same values and leave whatever they do not
support to the reader by line; so an error is the same error, whatever the size.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Literal

from forebear.errors import InputError
from forebear.trec import Qrels, Run, read_qrels, read_run
from forebear_lab.evaluation.files import (
    DiversityQrels,
    DocumentTypes,
    JudgmentFiles,
    is_large,
    read_diversity_qrels,
    read_type_runs,
    read_types,
    type_run_files,
)
from forebear_lab.evaluation.measures.definition import Aspects, JudgedRanking
from forebear_lab.evaluation.measures.measure import Measure

Ties = Literal["docno", "average", "pessimistic", "given"]
WithoutRelevant = Literal["zero", "skip", "one"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conventions:
    """How ties are broken, and what a query without a relevant document counts."""

    ties: Ties = "docno"
    without_relevant: WithoutRelevant = "zero"


TREC_EVAL = Conventions()


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


def evaluate_files(
    run: Path,
    judgments: JudgmentFiles,
    measures: Sequence[Measure],
    *,
    conventions: Conventions = TREC_EVAL,
    announce: Callable[[str], None] | None = None,
) -> Evaluation:
    """Measure a run in a file; ``announce`` gets a message if loops have to be compiled first."""
    has_types = bool(judgments.types or judgments.type_runs)
    covers = any("aspects" in measure.definition.looks_at for measure in measures)
    by_subtopic = judgments.by_subtopic or (covers and not has_types)
    check_inputs(measures, has_types=has_types, by_subtopic=by_subtopic)
    need_types = any(looks_at_types(measure, by_subtopic=by_subtopic) for measure in measures)
    if not by_subtopic and is_large(*_input_files(run, judgments, need_types=need_types)):
        from forebear_lab.evaluation.large_measures import evaluate_large  # loads numba

        evaluation = evaluate_large(
            run, judgments, measures, conventions, need_types=need_types, announce=announce
        )
        if evaluation is not None:
            return evaluation
    types = None
    if need_types and judgments.type_runs:
        types = read_type_runs(judgments.type_runs)
    elif need_types and judgments.types:
        types = DocumentTypes.of(read_types(judgments.types))
    read = read_diversity_qrels if by_subtopic else read_qrels
    return evaluate(read_run(run), read(judgments.qrels), measures, types, conventions=conventions)


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
    check_inputs(measures, has_types=bool(types), by_subtopic=by_subtopic)
    if not any(looks_at_types(measure, by_subtopic=by_subtopic) for measure in measures):
        types = None
    elif isinstance(types, Mapping):
        types = DocumentTypes.of(types)
    rankings = judge_run(run, qrels, types, ties=conventions.ties)
    return Evaluation(
        values={
            measure: _measure_all(measure, rankings, conventions.without_relevant)
            for measure in measures
        }
    )


def looks_at_types(measure: Measure, *, by_subtopic: bool) -> bool:
    """Return whether a measure needs the type of every document."""
    looks_at = measure.definition.looks_at
    return looks_at == "types" or (looks_at != "grades" and not by_subtopic)


def looks_at_relevance(measure: Measure, *, by_subtopic: bool) -> bool:
    """Return whether a measure has no value for a query without a relevant document."""
    looks_at = measure.definition.looks_at
    return looks_at in ("grades", "graded aspects") or (looks_at == "aspects" and by_subtopic)


def check_inputs(measures: Sequence[Measure], *, has_types: bool, by_subtopic: bool) -> None:
    """Refuse measures that need types if there are none."""
    for measure in measures:
        if looks_at_types(measure, by_subtopic=by_subtopic) and not has_types:
            raise InputError(
                f"measure '{measure}' needs the type of every document",
                hint="give a file with a document and its type a line (`--types FILE`), or a "
                "folder of runs, one a type (`--type-runs DIR`)",
            )


def judge_run(
    run: Run,
    qrels: Qrels | DiversityQrels,
    types: DocumentTypes | None,
    *,
    ties: Ties,
) -> dict[str, JudgedRanking]:
    """Return the judged ranking of every judged query, in the run or not."""
    grades = qrels.overall() if isinstance(qrels, DiversityQrels) else qrels
    return {query: _judge(query, run, grades, qrels, types, ties) for query in grades.grades}


def ranked_documents(run: Run, qrels: Qrels, query: str, *, ties: Ties) -> list[str]:
    """Return the query's documents, best first."""
    if ties in ("docno", "given"):
        return run.ranked(query, ties=ties)
    documents = run.ranked(query)
    if ties == "pessimistic":
        scores = run.scores.get(query, {})
        documents.sort(key=lambda document: (-scores[document], qrels.gain(query, document)))
    return documents


def _judge(
    query: str,
    run: Run,
    grades: Qrels,
    qrels: Qrels | DiversityQrels,
    types: DocumentTypes | None,
    ties: Ties,
) -> JudgedRanking:
    documents = ranked_documents(run, grades, query, ties=ties)
    tied = None
    if ties == "average":
        scores = run.scores.get(query, {})
        tied = tuple(len(list(group)) for _, group in groupby(documents, key=scores.__getitem__))
    ranked_types = _types_of(documents, types) if types else ()
    supply = types.supply if types else None
    return JudgedRanking(
        grades=tuple(grades.gain(query, document) for document in documents),
        judged=tuple(grades.grades[query].values()),
        tied=tied,
        types=ranked_types,
        type_count=len(types.names) if types else 0,
        supply=Counter(ranked_types) if supply is None else supply.get(query, {}),
        aspects=_aspects(query, documents, grades, qrels, types),
    )


def _types_of(documents: Sequence[str], types: DocumentTypes) -> tuple[str, ...]:
    for document in documents:
        if document not in types.types:
            raise InputError(
                f"document {document!r} of the run has no type",
                hint="the types must name every document of the run",
            )
    return tuple(types.types[document] for document in documents)


def _aspects(
    query: str,
    documents: Sequence[str],
    grades: Qrels,
    qrels: Qrels | DiversityQrels,
    types: DocumentTypes | None,
) -> Aspects:
    if isinstance(qrels, DiversityQrels):
        judged = qrels.grades[query]
        ranked = tuple(judged.get(document, {}) for document in documents)
        # the later name first: ndeval's order of documents that serve an ideal equally well
        in_order = tuple(judged[document] for document in sorted(judged, reverse=True))
        return Aspects(ranked=ranked, judged=in_order, by_type=False)
    type_of = types.types if types else {}
    ranked = tuple({type_of[d]: grades.gain(query, d)} for d in documents if d in type_of)
    of_judged = tuple({type_of[d]: g} for d, g in grades.grades[query].items() if d in type_of)
    return Aspects(ranked=ranked, judged=of_judged, by_type=True)


def _measure_all(
    measure: Measure, rankings: Mapping[str, JudgedRanking], without_relevant: WithoutRelevant
) -> dict[str, float]:
    values = {}
    for query, ranking in rankings.items():
        if _has_relevant(measure, ranking):
            values[query] = measure.of(ranking)
        elif without_relevant != "skip":
            values[query] = float(without_relevant == "one")
    return values


def _has_relevant(measure: Measure, ranking: JudgedRanking) -> bool:
    if not looks_at_relevance(measure, by_subtopic=not ranking.aspects.by_type):
        return True
    rel = measure.settings.get("rel", 1)
    return any(grade >= rel for grade in ranking.judged)


def _input_files(run: Path, judgments: JudgmentFiles, *, need_types: bool) -> list[Path]:
    files = [run, judgments.qrels]
    if need_types and judgments.types:
        files.append(judgments.types)
    if need_types and judgments.type_runs:
        files += type_run_files(judgments.type_runs).values()
    return files
