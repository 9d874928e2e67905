"""Which lists does every method of training learn from, how much does each count, and what results?

A method gets searches with attachments and the model to start from.  What it does not learn, such
as the weights of a record type with few attachments, is as in that model.

A feature is a clause, a query is one list of a search, and a record is relevant if it was attached.
A list has columns only for the clauses that its query could use, so the columns are brought to
those of the whole catalog: a clause that the query gave no reason for is false throughout.

One searcher may make a thousand judgments in a minute.  So all searches of one searcher together
have at most a twentieth of the weight of everything that is learned from, or compared on.  The
owner ("") has no limit: the owner decides what the archive learns from.

The limit is a share of the total *after* it was applied, so the weights are a fixed point.  Of the
searchers in order of their searches, the k busiest are limited to w each; all others count in full:

    total = (searches of all others) + k * w   and   w = total / 20
    so    w = (searches of all others) / (20 - k)

k is the least number at which none of the others has more than w searches.  There is such a number
if the owner has searches, or there are at least twenty searchers.  Without either, some searcher
must count for more than a twentieth, whatever the weights: then there are none.

The limit holds wherever a share can be concentrated: among the searches that attached a record of
one list, among those that did not, and in the whole.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from forebear.errors import ModelError
from forebear.interactions.events import JudgedSearch, LoggedList
from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import RankingDataset, TrainingHistory
from forebear.search.expansion.catalog import load_catalog
from forebear.search.model import Model

OWNER = ""
ROUNDING = 1e-9  # of summed weights
MIN_SEARCHERS = 20  # each counts for at most this part of the whole
MIN_SEARCHES = 5  # with an attachment in the list, below which a type learns nothing
Progress = Callable[[str], None]


def searcher_weights(judges: Sequence[str]) -> Floats | None:
    """Return the weight of each search, given who judged it; None if the limit cannot hold.

    >>> searcher_weights(["", "", "", "u1", "u1", "u2"]).round(3).tolist()
    [1.0, 1.0, 1.0, 0.083, 0.083, 0.167]
    """
    searches = Counter(judge for judge in judges if judge != OWNER)
    others, limit = len(judges), None
    for limited, (_, count) in enumerate([*searches.most_common(), (OWNER, 0)]):
        if limited >= MIN_SEARCHERS or not others:
            return None
        # Whole numbers: w = others / (20 - k) is at least the searches of the next searcher.
        if count * (MIN_SEARCHERS - limited) <= others:
            limit = others / (MIN_SEARCHERS - limited)
            break
        others -= count
    if limit is None:
        return None
    return np.array([min(1.0, limit / searches[j]) if j in searches else 1.0 for j in judges])


def list_weights(judges: Sequence[str], attached: NDArray[np.bool_]) -> Floats | None:
    """Return the weight of each search for one list; ``attached`` says which attached of it.

    The limit holds among those that did and among the others.  If it cannot hold among the
    others, they count for nothing; if it cannot among those that did, nothing is learned: None.
    """
    weights = np.zeros(len(judges))
    for chosen in (attached, ~attached):
        limited = searcher_weights([judges[i] for i in np.flatnonzero(chosen).tolist()])
        if limited is None and chosen is attached:
            return None
        weights[chosen] = 0.0 if limited is None else limited
    return weights


def largest_share(judges: Sequence[str], weights: Floats) -> float:
    """Return which share of the weight the searcher has who has most; the owner is none."""
    shares: Counter[str] = Counter()
    for judge, weight in zip(judges, weights.tolist(), strict=True):
        shares[judge] += weight
    shares.pop(OWNER, None)
    return max(shares.values(), default=0.0) / float(weights.sum())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedList:
    """One list of a judged search."""

    search: JudgedSearch
    shown: LoggedList

    @property
    def id(self) -> str:
        """Return a name that no other list has."""
        return f"{self.search.search.id}/{self.shown.name}"

    @property
    def labels(self) -> NDArray[np.bool_]:
        """Return for each record whether it was attached."""
        attached = self.search.attached
        return np.array([record in attached for record in self.shown.records], dtype=np.bool_)


def lists_of_type(judged: Sequence[JudgedSearch], record_type: str) -> list[JudgedList]:
    """Return the lists of a record type that have records."""
    return [
        JudgedList(search=search, shown=shown)
        for search in judged
        for shown in search.search.lists
        if shown.record_type == record_type and shown.records
    ]


def clause_dataset(
    record_type: str, lists: Sequence[JudgedList], *, weights: Floats | None = None
) -> RankingDataset:
    """Return the clause bits of lists of one record type, with a column for each of its clauses."""
    names = [row.clause for row in load_catalog()[record_type]]
    return RankingDataset.from_queries(
        names,
        [(one.id, _columns(one.shown, names), one.labels) for one in lists],
        weights=weights,
    )


def _columns(shown: LoggedList, names: Sequence[str]) -> NDArray[np.bool_]:
    """Return a list's bits with one column for each clause of the catalog, used or not."""
    column_of = {clause: column for column, clause in enumerate(shown.clauses)}
    bits = np.zeros((len(shown.records), len(names)), dtype=np.bool_)
    for column, name in enumerate(names):
        if name in column_of:
            bits[:, column] = shown.bits[:, column_of[name]]
    return bits


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
            f"of them would count for more than {1 / MIN_SEARCHERS:.0%}",
            hint="attach records yourself, with the command line or --batch, or wait for "
            f"{MIN_SEARCHERS} searchers; --trust NAME counts a sign-in link as you",
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
