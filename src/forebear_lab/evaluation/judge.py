"""A run and judgments to judged rankings, query by query.

This is where names of documents end: what a measure sees are grades, types and aspects in
ranked order.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby

from forebear.errors import InputError
from forebear.trec import Qrels, Run
from forebear_lab.evaluation.conventions import Ties
from forebear_lab.evaluation.diversity_qrels import DiversityQrels
from forebear_lab.evaluation.document_types import DocumentTypes
from forebear_lab.evaluation.measures.judged_ranking import Aspects, JudgedRanking


def judge_run(
    run: Run,
    qrels: Qrels | DiversityQrels,
    types: DocumentTypes | None,
    *,
    ties: Ties,
) -> dict[str, JudgedRanking]:
    """Return the judged ranking of every judged query, found or not."""
    grades = qrels.overall() if isinstance(qrels, DiversityQrels) else qrels
    return {query: _judge(query, run, grades, qrels, types, ties) for query in grades.grades}


def _judge(
    query: str,
    run: Run,
    grades: Qrels,
    qrels: Qrels | DiversityQrels,
    types: DocumentTypes | None,
    ties: Ties,
) -> JudgedRanking:
    documents = ranked_documents(run, grades, query, ties=ties)
    found = _types_of(documents, types) if types else ()
    supply = types.supply.get(query, {}) if types and types.supply is not None else Counter(found)
    return JudgedRanking(
        grades=tuple(grades.gain(query, document) for document in documents),
        judged=tuple(grades.grades[query].values()),
        tied=_tied(run.scores.get(query, {}), documents) if ties == "average" else None,
        types=found,
        type_count=len(types.names) if types else 0,
        supply=supply,
        aspects=_aspects(query, documents, grades, qrels, types),
    )


def ranked_documents(run: Run, qrels: Qrels, query: str, *, ties: Ties) -> list[str]:
    """Return the query's documents, best first."""
    if ties in ("docno", "given"):
        return run.ranked(query, ties=ties)
    documents = run.ranked(query)
    if ties == "pessimistic":
        scores = run.scores.get(query, {})
        documents.sort(key=lambda document: (-scores[document], qrels.gain(query, document)))
    return documents


def _tied(scores: Mapping[str, float], documents: Sequence[str]) -> tuple[int, ...]:
    return tuple(len(list(group)) for _, group in groupby(documents, key=scores.__getitem__))


def _types_of(documents: Sequence[str], types: DocumentTypes) -> tuple[str, ...]:
    unknown = next((document for document in documents if document not in types.types), None)
    if unknown is not None:
        raise InputError(
            f"document {unknown!r} of the run has no type",
            hint="the types must name every document that the run found",
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
        # the later name first: ndeval's order of documents that serve an ideal alike
        in_order = tuple(judged[document] for document in sorted(judged, reverse=True))
        return Aspects(ranked=ranked, judged=in_order, by_type=False)
    known = types.types if types else {}
    ranked = tuple({known[d]: grades.gain(query, d)} for d in documents if d in known)
    of_judged = tuple({known[d]: grade} for d, grade in grades.grades[query].items() if d in known)
    return Aspects(ranked=ranked, judged=of_judged, by_type=True)
