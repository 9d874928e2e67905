"""What does a method of training return, and what do all methods need?

A method gets searches with attachments and the model to start from.  What it does not learn, such
as the weights of a record type with few attachments, is as in that model.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from forebear.errors import ModelError
from forebear.interactions.events import JudgedSearch
from forebear.kernels.ndcg import Floats
from forebear.learning.clause_bits import JudgedList, lists_of_type
from forebear.learning.history import TrainingHistory
from forebear.learning.searcher_weights import (
    LEAST_SEARCHERS,
    ROUNDING,
    list_weights,
    searcher_weights,
)
from forebear.search.expansion.catalog import load_catalog
from forebear.search.model import Model

MIN_SEARCHES = 5  # with an attachment in the list, below which a type learns nothing

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """Weights, and what moves each list, in 64ths of a bit."""

    weights: Mapping[str, Mapping[str, int]]
    shifts: Mapping[str, int]
    types: tuple[str, ...]  # whose lists were learned from
    conditions: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    at_bound: tuple[str, ...] = ()  # lists whose shift could go no further
    histories: Mapping[str, TrainingHistory] = field(default_factory=dict)  # of coordinate ascent


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TypeLists:
    """The lists of one record type, and how much each counts."""

    record_type: str
    lists: tuple[JudgedList, ...]
    weights: Floats


def lists_to_learn_from(judged: Sequence[JudgedSearch]) -> list[TypeLists]:
    """Return the lists of each record type that enough searches attached a record of."""
    chosen = []
    for record_type in load_catalog():
        lists = lists_of_type(judged, record_type)
        attached = np.array([one.labels.any() for one in lists], dtype=np.bool_)
        weights = list_weights([one.search.judge for one in lists], attached)
        if weights is not None and weights[attached].sum() >= MIN_SEARCHES - ROUNDING:
            chosen.append(TypeLists(record_type=record_type, lists=tuple(lists), weights=weights))
    return chosen


def limited_weights(judged: Sequence[JudgedSearch]) -> Floats:
    """Return how much each search counts, so that no searcher counts for too much."""
    judges = [search.judge for search in judged]
    weights = searcher_weights(judges)
    if weights is None:
        raise ModelError(
            f"the {len(judges):,} searches were judged by {len(set(judges)):,} searchers, so one "
            f"of them would count for more than {1 / LEAST_SEARCHERS:.0%}",
            hint="attach records yourself, with the command line or --batch, or wait for "
            f"{LEAST_SEARCHERS} searchers; --trust NAME counts a sign-in link as you",
        )
    return weights


def scored_model(around: Model, learned: Learned) -> Model:
    """Return a model of what was learned, without probabilities."""
    return replace(
        around,
        weights=learned.weights,
        shifts=learned.shifts,
        conditions=learned.conditions,
        probability=None,
    )
