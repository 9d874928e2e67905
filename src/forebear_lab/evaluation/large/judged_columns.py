"""Ranked lists as judged, all queries at once: what `JudgedRanking` is for one."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from forebear.kernels.nce import count_types
from forebear.kernels.ndcg import Floats, Integers
from forebear_lab.evaluation.conventions import Ties
from forebear_lab.evaluation.large.grouped import GroupedDocuments
from forebear_lab.evaluation.large.run_columns import QrelsColumns, RunColumns
from forebear_lab.evaluation.large.text_columns import match_words
from forebear_lab.evaluation.large.type_columns import TypeColumns
from forebear_lab.evaluation.measures.judged_ranking import Aspects, JudgedRanking
from forebear_lab.kernels.ranking import ranked_rows, tie_bounds


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TypedColumns:
    """The types of the documents of judged lists, by number."""

    names: tuple[str, ...]
    ranked: Integers
    judged: Integers  # of all judged documents; -1 if not known
    supply: Integers  # a row a query, a column a type


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedColumns:
    """The lists of the judged queries that the run answers, best documents first.

    A document stands at the places ``begins:ends`` of its list, counted from 0: one place
    unless ties are averaged.
    """

    queries: tuple[str, ...]
    offsets: Integers
    grades: Integers  # of the ranked documents
    begins: Integers
    ends: Integers
    judged_offsets: Integers
    judged: Integers  # grades of all judged documents, ranked or not
    types: TypedColumns | None
    averaged: bool

    def ranking(self, query: int) -> JudgedRanking:
        """Return one query's list as the readable measures take it."""
        rows = slice(*self.offsets[query : query + 2])
        judged = self.judged[slice(*self.judged_offsets[query : query + 2])]
        begins, ends = self.begins[rows], self.ends[rows]
        grades = tuple(self.grades[rows].tolist())
        types = self._types(query)
        return JudgedRanking(
            grades=grades,
            judged=tuple(judged.tolist()),
            tied=tuple((ends - begins)[np.unique(begins, return_index=True)[1]].tolist())
            if self.averaged
            else None,
            types=types,
            type_count=len(self.types.names) if self.types else 0,
            supply=self._supply(query),
            aspects=Aspects(
                ranked=tuple({name: grade} for name, grade in zip(types, grades, strict=False)),
                judged=self._judged_aspects(query),
                by_type=True,
            ),
        )

    def _types(self, query: int) -> tuple[str, ...]:
        if self.types is None:
            return ()
        codes = self.types.ranked[slice(*self.offsets[query : query + 2])]
        return tuple(self.types.names[code] for code in codes.tolist())

    def _supply(self, query: int) -> Mapping[str, int]:
        if self.types is None:
            return {}
        counts = self.types.supply[query].tolist()
        return {name: n for name, n in zip(self.types.names, counts, strict=True) if n}

    def _judged_aspects(self, query: int) -> tuple[Mapping[str, int], ...]:
        if self.types is None:
            return ()
        rows = slice(*self.judged_offsets[query : query + 2])
        pairs = zip(self.types.judged[rows].tolist(), self.judged[rows].tolist(), strict=True)
        return tuple({self.types.names[code]: grade} for code, grade in pairs if code >= 0)


def judge_columns(
    run: RunColumns, qrels: QrelsColumns, types: TypeColumns | None, *, ties: Ties
) -> JudgedColumns:
    """Rank what the run found for judged queries, and look up what was judged."""
    answered = set(run.found.queries)
    queries = [query for query in qrels.judged.queries if query in answered]
    found, judged = run.found.of(queries), qrels.judged.of(queries)
    scores, judged_grades = run.scores[found.rows], qrels.grades[judged.rows]
    matches, _ = match_words(found.documents, found.offsets, judged.documents, judged.offsets)
    grades = np.zeros(scores.size, np.int64)
    grades[matches[matches >= 0]] = np.maximum(judged_grades[matches >= 0], 0)
    order = ranked_rows(
        scores,
        grades,
        found.documents.data,
        found.documents.bounds,
        found.offsets,
        ties == "pessimistic",
        ties in ("docno", "pessimistic"),
    )
    begins, ends = _places(scores[order], found.offsets, averaged=ties == "average")
    return JudgedColumns(
        queries=tuple(queries),
        offsets=found.offsets,
        grades=grades[order],
        begins=begins,
        ends=ends,
        judged_offsets=judged.offsets,
        judged=judged_grades,
        types=_typed(types, found, judged, order) if types else None,
        averaged=ties == "average",
    )


def _places(scores: Floats, offsets: Integers, *, averaged: bool) -> tuple[Integers, Integers]:
    if averaged:
        return tie_bounds(scores, offsets)
    begins = np.arange(scores.size) - np.repeat(offsets[:-1], np.diff(offsets))
    return begins, begins + 1


def _typed(
    types: TypeColumns, found: GroupedDocuments, judged: GroupedDocuments, order: Integers
) -> TypedColumns:
    ranked = types.of(found.documents)[order]
    supply = types.supply_of(found.queries)
    if supply is None:
        supply = count_types(ranked, found.offsets, len(types.names))
    return TypedColumns(
        names=types.names, ranked=ranked, judged=types.known(judged.documents), supply=supply
    )
