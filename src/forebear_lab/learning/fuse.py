"""Runs fused into one by a learned model, as a searcher would do it."""

from collections.abc import Mapping

import numpy as np

from forebear.errors import InputError
from forebear.trec import Run
from forebear_lab.learning.fusion_model import FusionModel

Facts = Mapping[str, frozenset[str]]


def fuse_runs(
    runs: Mapping[str, Run],
    model: FusionModel,
    *,
    facts: Facts | None = None,
    top: int = 100,
    decay: float = 0.0,
) -> Run:
    """Return the fused run of lists given by name: of each query the ``top`` best documents.

    ``facts`` says which facts each query has.  With a ``decay``, every document already taken
    from a list lowers what is left of it by so many bits.
    """
    queries = dict.fromkeys(query for run in runs.values() for query in run.scores)
    known = facts or {}
    fused = {
        query: _fuse_query(query, runs, model, known.get(query, frozenset()), decay)
        for query in queries
    }
    return Run(scores={query: _best(scores, top) for query, scores in fused.items()})


def _fuse_query(
    query: str, runs: Mapping[str, Run], model: FusionModel, facts: frozenset[str], decay: float
) -> dict[str, float]:
    fused: dict[str, float] = {}
    for name, run in runs.items():
        documents = run.ranked(query)
        if not documents:
            continue
        scores = np.array([run.scores[query][document] for document in documents])
        values = _decayed(model.fuse_list(name, scores, facts), model.multiplies, decay)
        twice = next((document for document in documents if document in fused), None)
        if twice is not None:
            raise InputError(
                f"document {twice!r} of query {query!r} is in two lists, {name!r} the second",
                hint="lists to be fused must be disjoint: one list a type of record",
            )
        fused |= zip(documents, values.tolist(), strict=True)
    return fused


def _decayed(
    values: np.ndarray[tuple[int], np.dtype[np.float64]], multiplies: bool, decay: float
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return fused scores, best first, lowered by a decay for each one before them."""
    lost = decay * np.arange(values.size)
    return values / np.exp2(lost) if multiplies else values - lost


def _best(scores: Mapping[str, float], top: int) -> dict[str, float]:
    ranked = Run(scores={"": scores}).ranked("")
    return {document: scores[document] for document in ranked[:top]}
