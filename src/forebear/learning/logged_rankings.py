"""How well does a model rank logged searches?

The lists of a logged search stay; a model scores and fuses them again, in the order by score: no
type decay, which a search only has where a record is very likely, hides what weights and shifts do
to the variety of types.  A record that was attached but is in none of the lists counts as not
retrieved.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from forebear.errors import InputError
from forebear.interactions.events import JudgedSearch
from forebear.interactions.unmet import query_facts
from forebear.kernels.ndcg import Floats, ideal_dcgs, summed_discounts
from forebear.learning.calibrate import rescore
from forebear.learning.measures import nce_of_arrays, ndcg_of_arrays
from forebear.search.fusion import list_shift
from forebear.search.model import Model

CUTOFF = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRanking:
    """A judged search in the order of a model."""

    judged: JudgedSearch
    records: tuple[str, ...]  # the fused list, best first
    lists: tuple[str, ...]  # the name of each record's list


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelMeasures:
    """Measures of rankings, by search."""

    cutoff: int
    ndcg: dict[str, float]
    nce: dict[str, float]
    firsts: dict[str, Mapping[str, int]]  # the place of the first attached record of each type
    weights: dict[str, float]  # how much each search counts

    def success(self, depth: int, record_type: str | None = None) -> dict[str, float]:
        """Return whether each search has an attached record among the first; 1 or 0.

        With a ``record_type`` only its records count, and only searches that attached one; the
        attached records of other types take no place.
        """
        return {
            search: float(min(of_types.values(), default=depth + 1) <= depth)
            if record_type is None
            else float(of_types[record_type] <= depth)
            for search, of_types in self.firsts.items()
            if record_type is None or record_type in of_types
        }

    def means(self) -> dict[str, float]:
        """Return the mean of each measure under its text form."""
        weights = [*self.weights.values()]
        values = {
            f"ndcg@{self.cutoff}": self.ndcg,
            "success@1": self.success(1),
            "success@10": self.success(10),
            f"nce@{self.cutoff}": self.nce,
        }
        return {
            measure: float(np.average([*of_search.values()], weights=weights))
            for measure, of_search in values.items()
        }


def judge_model(
    model: Model,
    judged: Sequence[JudgedSearch],
    *,
    cutoff: int = CUTOFF,
    weights: Floats | None = None,
) -> ModelMeasures:
    """Return the measures of a model over the searches with an attachment."""
    counted = np.ones(len(judged)) if weights is None else weights
    useful = [number for number, search in enumerate(judged) if search.attached]
    rankings = [rank_search(model, judged[number]) for number in useful]
    return measure_rankings(rankings, cutoff=cutoff, weights=counted[useful])


def rank_search(model: Model, judged: JudgedSearch) -> LoggedRanking:
    """Return the fused list of a logged search under a model."""
    # Only conditions need the query's facts; without them an old query is not parsed.
    facts = query_facts(judged.search) if model.conditions else ()
    scores: dict[str, tuple[int, str]] = {}
    for shown in judged.search.lists:
        move = list_shift(model, shown.name, shown.record_type, facts)
        for record, score in zip(shown.records, rescore(shown, model).tolist(), strict=True):
            scores[record] = move.evidence(score), shown.name
    # Equal scores are ordered by key, the later first, as in a run file.
    ordered = sorted(scores, key=lambda record: (scores[record][0], record), reverse=True)
    return LoggedRanking(
        judged=judged,
        records=tuple(ordered),
        lists=tuple(scores[record][1] for record in ordered),
    )


def measure_rankings(
    rankings: Sequence[LoggedRanking], *, cutoff: int = CUTOFF, weights: Floats | None = None
) -> ModelMeasures:
    """Return the measures of rankings of different searches, each with an attachment.

    ``weights`` say how much each search counts, by default 1.
    """
    if not rankings:
        raise InputError("no search has an attached record, so there is nothing to measure")
    names = sorted({shown.name for one in rankings for shown in one.judged.search.lists})
    number_of = {name: number for number, name in enumerate(names)}
    offsets = np.cumsum([0, *(len(one.records) for one in rankings)])
    attached = np.array([len(one.judged.attached) for one in rankings])
    relevant = np.ones(int(attached.sum()))
    ids = [one.judged.search.id for one in rankings]
    ndcg = ndcg_of_arrays(
        np.concatenate([np.arange(len(one.records), 0.0, -1) for one in rankings]),
        [record in one.judged.attached for one in rankings for record in one.records],
        offsets,
        cutoff=cutoff,
        ideals=ideal_dcgs(
            relevant,
            np.cumsum([0, *attached]),
            summed_discounts(int(attached.max()), cutoff=cutoff),
        ),
    )
    nce = nce_of_arrays(
        [number_of[name] for one in rankings for name in one.lists],
        offsets,
        cutoff=cutoff,
        type_count=len(names) or 1,
    )
    counted = np.ones(len(ids)) if weights is None else weights
    return ModelMeasures(
        cutoff=cutoff,
        ndcg=dict(zip(ids, ndcg.tolist(), strict=True)),
        nce=dict(zip(ids, nce.tolist(), strict=True)),
        firsts=dict(zip(ids, map(_firsts, rankings), strict=True)),
        weights=dict(zip(ids, counted.tolist(), strict=True)),
    )


def _firsts(ranking: LoggedRanking) -> dict[str, int]:
    """Return the place of the first attached record of each type, after what was not attached."""
    type_of = {shown.name: shown.record_type for shown in ranking.judged.search.lists}
    firsts: dict[str, int] = {}
    place = 1
    for record, list_name in zip(ranking.records, ranking.lists, strict=True):
        if record in ranking.judged.attached:
            firsts.setdefault(type_of[list_name], place)
        else:
            place += 1
    return firsts
