"""How are lists that share documents combined into one?  By adding up what each list says.

    rrf        sum over lists of w / (60 + rank)                 (Cormack, Clarke, Buettcher 2009)
    comb_sum   sum over lists of w * normalized score            (Fox and Shaw 1994)
    comb_mnz   comb_sum times the number of lists with the document

A list that lacks a document adds nothing.  w is the weight of the list, 1 by default; comb_sum with
weights is known as weighted sum or linear combination, and its weights can be learned.  The
normalizations are the published ones, list by list and query by query:

    none, min_max (s - least) / (most - least), max s / most, sum (s - least) / sum of those,
    z (s - mean) / standard deviation, rank 1 - (rank - 1) / length

A list whose scores are all the same, or with one document, has 1 throughout for min_max and max, an
equal part of 1 for sum and 0 for z.  ``ranx`` has the same formulas, but gives such a list 0 for
min_max and sum, as if it were not there.  Documents with equal scores have the order of trec_eval.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError, ModelError
from forebear.learning.dataset import RankingDataset, bounds
from forebear.trec import Qrels, Run

CombinationMethod = Literal["rrf", "comb_sum", "comb_mnz"]
CombinationNorm = Literal["none", "min_max", "max", "sum", "z", "rank"]
ScoredList = Mapping[str, float]
Floats = NDArray[np.float64]  # not that of the kernels, which take a second to load

COMBINATION = "combination"  # the kind of model
RRF_CONSTANT = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """How lists that may share documents become one, with notes on how that was learned."""

    method: CombinationMethod = "comb_sum"
    norm: CombinationNorm = "min_max"  # of comb_sum and comb_mnz
    weights: Mapping[str, float] = field(default_factory=dict)  # by list; those not named have 1
    k: int = RRF_CONSTANT  # of rrf
    notes: Mapping[str, Any] = field(default_factory=dict)  # seed, measures ...

    def fuse(self, runs: Mapping[str, Run], *, top: int = 100) -> Run:
        """Return the combined run of lists given by name: of each query the best documents."""
        self._check_names(runs)
        queries = dict.fromkeys(query for run in runs.values() for query in run.scores)
        combined = {query: self._fuse_query(query, runs) for query in queries}
        ranked = Run(scores=combined)
        return Run(
            scores={
                query: {document: scores[document] for document in ranked.ranked(query)[:top]}
                for query, scores in combined.items()
            }
        )

    def with_notes(self, **notes: Any) -> Self:
        """Return the combination with more notes."""
        return replace(self, notes={**self.notes, **notes})

    def to_json(self) -> str:
        """Return the combination as JSON."""
        value = {
            "kind": COMBINATION,
            "combine": self.method,
            "norm": self.norm,
            "k": self.k,
            **self.notes,
            "weights": dict(self.weights),
        }
        return json.dumps(value, indent=1)

    def _check_names(self, runs: Mapping[str, Run]) -> None:
        unknown = sorted(self.weights.keys() - runs.keys())
        if unknown:
            raise InputError(
                f"there is a weight for the list {unknown[0]!r}, but no such list",
                hint=f"a list is named by its file; here are {', '.join(sorted(runs))}",
            )

    def _fuse_query(self, query: str, runs: Mapping[str, Run]) -> dict[str, float]:
        lists = []
        for name, run in runs.items():
            documents, weight = run.ranked(query), self.weights.get(name, 1.0)
            scores = np.array([run.scores[query][document] for document in documents], np.float64)
            values = weight * self._points(scores)
            lists.append(dict(zip(documents, values.tolist(), strict=True)))
        return comb_mnz(lists) if self.method == "comb_mnz" else comb_sum(lists)

    def _points(self, scores: Floats) -> Floats:
        """Return what a list of these scores, best first, gives to each of its documents."""
        if self.method == "rrf":
            return np.asarray(1.0 / (self.k + 1.0 + np.arange(scores.size)), np.float64)
        return normalize_scores(scores, self.norm)


def combination_from_json(text: str, *, where: str) -> Combination:
    """Return the combination that a JSON text describes; ``where`` names it in errors."""
    try:
        value: dict[str, Any] = json.loads(text)
        kind, method, norm = value.pop("kind"), value.pop("combine"), value.pop("norm")
        if (
            kind != COMBINATION
            or method not in get_args(CombinationMethod)
            or norm not in get_args(CombinationNorm)
        ):
            raise ModelError(f"{where} is of kind {kind!r}, combines by {method!r} after {norm!r}")
        weights = {name: float(weight) for name, weight in value.pop("weights").items()}
        k = int(value.pop("k"))
        return Combination(method=method, norm=norm, weights=weights, k=k, notes=value)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ModelError(
            f"{where} is not a combination of lists: {error}",
            hint="learn one with `forebear learn combination`",
        ) from error


def normalize_scores(scores: Floats, norm: CombinationNorm) -> Floats:
    """Return one list's scores, best first, normalized.

    >>> normalize_scores(np.array([4.0, 3.0, 2.0]), "min_max").tolist()
    [1.0, 0.5, 0.0]
    """
    return NORMS[norm](scores) if scores.size else scores


def _above_least(scores: Floats) -> Floats:
    return np.asarray(scores - scores.min(), np.float64)


def _deviation(scores: Floats) -> float:
    return float(scores.std()) if np.ptp(scores) else 0.0  # rounding may leave a little


def _divide(values: Floats, by: float, *, instead: float) -> Floats:
    return np.asarray(values / by if by else np.full(values.size, instead), np.float64)


NORMS: dict[CombinationNorm, Callable[[Floats], Floats]] = {
    "none": lambda scores: scores,
    "min_max": lambda scores: _divide(_above_least(scores), float(np.ptp(scores)), instead=1.0),
    "max": lambda scores: _divide(scores, float(scores.max()), instead=1.0),
    "sum": lambda scores: _divide(
        _above_least(scores), float(_above_least(scores).sum()), instead=1.0 / scores.size
    ),
    "z": lambda scores: _divide(scores - scores.mean(), _deviation(scores), instead=0.0),
    "rank": lambda scores: 1 - np.arange(scores.size) / scores.size,
}


def comb_sum(lists: Sequence[ScoredList]) -> dict[str, float]:
    """Return the sum of each document's scores over the lists that have it.

    >>> comb_sum([{"a": 1.0, "b": 0.5}, {"b": 0.75}])
    {'a': 1.0, 'b': 1.25}
    """
    combined: dict[str, float] = {}
    for scores in lists:
        for document, score in scores.items():
            combined[document] = combined.get(document, 0.0) + score
    return combined


def comb_mnz(lists: Sequence[ScoredList]) -> dict[str, float]:
    """Return the sum of each document's scores times the number of lists that have it.

    >>> comb_mnz([{"a": 1.0, "b": 0.5}, {"b": 0.75}])
    {'a': 1.0, 'b': 2.5}
    """
    holders = Counter(document for scores in lists for document in scores)
    return {document: score * holders[document] for document, score in comb_sum(lists).items()}


def combination_dataset(
    runs: Mapping[str, Run], qrels: Qrels, norm: CombinationNorm
) -> RankingDataset:
    """Return the documents of judged queries, with their normalized score in each list as features.

    The queries are those with a relevant document.  A relevant document that no list has is not
    among them: it cannot be ranked, and no weight changes that.
    """
    names = tuple(runs)
    queries = [
        query for query, judged in qrels.grades.items() if any(g > 0 for g in judged.values())
    ]
    rows, labels, sizes = [], [], []
    for query in queries:
        scored = [_normalized(run, query, norm) for run in runs.values()]
        documents = list(dict.fromkeys(document for scores in scored for document in scores))
        rows += [[scores.get(document, 0.0) for scores in scored] for document in documents]
        labels += [qrels.gain(query, document) for document in documents]
        sizes.append(len(documents))
    return RankingDataset(
        features=np.array(rows, np.float64).reshape(-1, len(names)),
        labels=np.array(labels, np.int64),
        offsets=bounds(sizes),
        feature_names=names,
        query_ids=tuple(queries),
    )


def _normalized(run: Run, query: str, norm: CombinationNorm) -> dict[str, float]:
    documents = run.ranked(query)
    scores = np.array([run.scores[query][document] for document in documents], np.float64)
    return dict(zip(documents, normalize_scores(scores, norm).tolist(), strict=True))
