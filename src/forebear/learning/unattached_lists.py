"""Where do lists of a type of which nothing was attached stand among the others?

If people attach only censuses, nothing says how likely a baptism is: they may not look for one.
Training makes the censuses that are right stand out more, so they would pass baptisms that they did
not pass before, page after page.  So the lists of types without any attachment are moved together,
until an attached record stands below one of theirs, of the same search, as often as before.

Of a type with one to four attachments the weights are not learned either, but people do attach it,
and not often; it moves as all lists do.
"""

from collections.abc import Sequence

import numpy as np

from forebear.interactions.events import JudgedSearch
from forebear.interactions.unmet import query_facts
from forebear.kernels.ndcg import Floats
from forebear.learning.calibrate import rescore
from forebear.learning.searcher_weights import searcher_weights
from forebear.search.expansion.catalog import load_catalog
from forebear.search.fusion import list_shift
from forebear.search.model import Model


def unattached_types(judged: Sequence[JudgedSearch]) -> frozenset[str]:
    """Return the record types of which no record was attached."""
    attached = {
        ranked.record_type
        for search in judged
        for ranked in search.search.lists
        if not search.attached.isdisjoint(ranked.records)
    }
    return frozenset(load_catalog()) - attached


def move_of_unattached(
    judged: Sequence[JudgedSearch], unattached: frozenset[str], before: Model, after: Model
) -> int:
    """Return how far lists of these types are to move in a new model, in 64ths of a bit."""
    counted = [search for search in judged if search.attached]
    weights = searcher_weights([search.judge for search in counted]) if counted else None
    if weights is None:
        return 0
    old: list[Floats] = []
    new: list[Floats] = []
    counts: list[Floats] = []
    for search, weight in zip(counted, weights.tolist(), strict=True):
        gaps = [_gaps(search, unattached, model) for model in (before, after)]
        old.append(gaps[0].ravel())
        new.append(gaps[1].ravel())
        counts.append(np.full(gaps[0].size, weight / max(len(gaps[0]), 1)))
    gaps_before, gaps_after, count = map(np.concatenate, (old, new, counts))
    if not count.size:
        return 0
    even = np.clip(0.0, gaps_before.min(), gaps_before.max())
    shares, values = _distribution(gaps_before, count)
    share = np.interp(even, values, shares)
    shares, values = _distribution(gaps_after, count)
    return round(float(np.interp(share, shares, values) - even))


def _gaps(search: JudgedSearch, unattached: frozenset[str], model: Model) -> Floats:
    """Return by how much each attached record is ahead of each record of these types."""
    facts = query_facts(search.search) if model.conditions else frozenset()
    attached, others = [np.zeros(0)], [np.zeros(0)]
    for shown in search.search.lists:
        move = list_shift(model, shown.name, shown.record_type, facts)
        scores = np.array([move.evidence(score) for score in rescore(shown, model).tolist()])
        if shown.record_type in unattached:
            others.append(scores)
        else:
            attached.append(scores[[record in search.attached for record in shown.records]])
    gaps: Floats = np.concatenate(attached)[:, None] - np.concatenate(others)[None, :]
    return gaps


def _distribution(values: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Return the values in order, and before them which share of all is below each.

    >>> shares, values = _distribution(np.array([3.0, 1.0]), np.array([1.0, 3.0]))
    >>> shares.tolist(), values.tolist()
    ([0.375, 0.875], [1.0, 3.0])
    """
    order = np.argsort(values, kind="stable")
    counted = counts[order]
    return (np.cumsum(counted) - counted / 2) / counted.sum(), values[order]
