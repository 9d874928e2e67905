"""How well does a model rank logged searches?  The lists stay; the model scores them again."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from forebear.errors import InputError
from forebear.interactions.events import JudgedSearch
from forebear.kernels.ndcg import Floats, ideal_dcgs, summed_discounts
from forebear.learning.measures import nce_of_arrays, ndcg_of_arrays
from forebear.learning.train import rescore
from forebear.search.fusion.conditioned import facts_known, list_move
from forebear.search.model import Model
from forebear.search.query.from_json import parse_query


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelMeasures:
    """NDCG and NCE of a model's fused lists, by search."""

    cutoff: int
    ndcg: dict[str, float]
    nce: dict[str, float]

    def means(self) -> dict[str, float]:
        """Return the mean of each measure under its text form."""
        return {
            f"ndcg@{self.cutoff}": float(np.mean([*self.ndcg.values()])),
            f"nce@{self.cutoff}": float(np.mean([*self.nce.values()])),
        }


def judge_model(
    model: Model, judged: Sequence[JudgedSearch], *, cutoff: int = 100, type_count: int = 0
) -> ModelMeasures:
    """Return the measures of the fused lists over the searches with an attachment.

    ``type_count`` is how many lists could have appeared (0: those that these searches have).
    """
    useful = [search for search in judged if search.attached]
    if not useful:
        raise InputError("no search has an attached record, so there is nothing to measure")
    number_of: dict[str, int] = {}
    ranks: list[int] = []
    grades: list[bool] = []
    types: list[int] = []
    offsets = [0]
    ideals: list[Floats] = []
    for search in useful:
        fused = _fuse(model, search, number_of)
        ranks += range(len(fused), 0, -1)
        grades += [record in search.attached for record, _ in fused]
        types += [list_number for _, list_number in fused]
        offsets.append(len(ranks))
        relevant = np.ones(len(search.attached))
        discounts = summed_discounts(relevant.size, cutoff=cutoff)
        ideals.append(ideal_dcgs(relevant, np.array([0, relevant.size]), discounts))
    ndcg = ndcg_of_arrays(
        np.array(ranks, np.float64), grades, offsets, cutoff=cutoff, ideals=np.concatenate(ideals)
    )
    nce = nce_of_arrays(types, offsets, cutoff=cutoff, type_count=type_count or len(number_of) or 1)
    names = [search.search.id for search in useful]
    return ModelMeasures(
        cutoff=cutoff,
        ndcg=dict(zip(names, ndcg.tolist(), strict=True)),
        nce=dict(zip(names, nce.tolist(), strict=True)),
    )


def _fuse(model: Model, search: JudgedSearch, number_of: dict[str, int]) -> list[tuple[str, int]]:
    """Return each record with the number of its list, best first; numbers are given on the way."""
    # Only conditions need the query's facts; without them an old query is not parsed.
    facts = facts_known(parse_query(search.search.query)) if model.conditions else ()
    scores: dict[str, tuple[int, int]] = {}
    for shown in search.search.lists:
        move = list_move(model, shown.name, shown.record_type, facts)
        for record, score in zip(shown.records, rescore(shown, model), strict=True):
            list_number = number_of.setdefault(shown.name, len(number_of))
            scores[record] = move.moved(int(score)), list_number
    # Equal scores are ordered by key, the later first, as in a run file.
    ordered = sorted(scores, key=lambda record: (scores[record][0], record), reverse=True)
    return [(record, scores[record][1]) for record in ordered]
