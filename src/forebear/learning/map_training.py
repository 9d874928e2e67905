"""Which weights near the given ones explain best what was attached?

The log2 odds that a record is right are the sum

    level + shift[list]
    + level[fact] + condition[list, fact] over facts of the query
    + weight[type, clause] over clauses that fire

and all of it is fitted at once to every record of the logged lists: the most probable (maximum a
posteriori) model under the hierarchical prior of `forebear.learning.hierarchical`.  A weight is
near its given value + u[clause], with a standard deviation of WEIGHT_SD; u, near 0 with CLAUSE_SD,
is shared by all types; shifts and conditions have SHIFT_SD.  The levels are free.  They move all
lists alike, so they order nothing, but what they take up is not mistaken for a property of one
list: if only censuses were attached, all of it would be.

The lists of a record type count if at least five searches attached a record of it: searches that
attach only censuses say nothing against baptisms.  But u moves the weights of every type.

**Lists of types of which nothing was attached.**  If people attach only censuses, nothing says how
likely a baptism is: they may not look for one.  Training makes the censuses that are right stand
out more, so they would pass baptisms that they did not pass before, page after page.  So the lists
of types without any attachment are moved together, until an attached record stands below one of
theirs, of the same search, as often as before.  Of a type with one to four attachments the weights
are not learned either, but people do attach it, and not often; it moves as all lists do.

**The given weights** are those of `default`, or estimated without judgments, never those of an
earlier training: the same searches would count again with each training, and weights would drift.

**A rejection** is a judgment; other wrong records are only not attached.  How much more it says
depends on how people reject.  A rejected record counts as three wrong ones, unless a cross-fit says
otherwise: with MIN_REJECTING searches that can compare models and rejected something, three folds
by person compare the numbers of CHOICES by NDCG, and another than three is taken if it is better by
more than its standard error.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from forebear.interactions.events import JudgedSearch, person_groups
from forebear.interactions.unmet import query_facts
from forebear.kernels.ndcg import Floats, Integers
from forebear.learning.calibrate import rescore
from forebear.learning.hierarchical import HierarchicalFit, JudgedRecords, Prior, fit_weights
from forebear.learning.judged_lists import (
    ROUNDING,
    Learned,
    TypeLists,
    lists_to_learn_from,
    scored_model,
    searcher_weights,
)
from forebear.learning.logged_rankings import measure_rankings, rank_search
from forebear.learning.measures import k_folds
from forebear.search.expansion.catalog import load_catalog
from forebear.search.fusion import list_shift
from forebear.search.model import UNITS_PER_BIT, Model, to_units

CLAUSE_SD = 0.5  # bits
WEIGHT_SD = 0.25
SHIFT_SD = 0.5
SHIFT_REACH = 2.0  # bits; a shift that wants to go further is a sign of a biased log
REJECTED = 3.0  # how often a rejected record counts
MIN_SEARCHES = 10  # of a list, with a fact and without it
TOLERANCE = 1e-6  # of the loss; smaller steps move weights by less than .1 bit
Facts = Mapping[str, frozenset[str]]  # of each query
CHOICES = (1.0, 10.0)
FOLDS = 3
MIN_REJECTING = 100


@dataclass(frozen=True, slots=True)
class _Moves:
    """Which columns move lists."""

    shifts: dict[str, int]  # by list
    conditions: dict[str, dict[str, int]]  # by list, then by fact
    levels: dict[str, int]  # by fact, of all lists

    @property
    def count(self) -> int:
        return len(self.shifts) + sum(map(len, self.conditions.values())) + len(self.levels)

    def of(self, name: str, facts: Container[str]) -> list[int]:
        """Return the columns that move a list for a query with these facts."""
        columns = (self.conditions[name], self.levels)
        return [
            self.shifts[name],
            *(at for of in columns for fact, at in of.items() if fact in facts),
        ]


def learn_map(
    judged: Sequence[JudgedSearch], around: Model, *, rejected: float = REJECTED
) -> Learned:
    """Return the most probable weights, shifts and conditions for these searches."""
    of_types = lists_to_learn_from(judged)
    if not of_types:
        return Learned(weights=around.weights, shifts=around.shifts, types=())
    searches = {search.search.query: search.search for search in judged}
    facts = {query: query_facts(search) for query, search in searches.items()}
    moves = _moves(of_types, facts)
    records = _records(of_types, moves, facts, rejected)
    prior = _prior(around, of_types, moves)
    fit = fit_weights(records, prior, listwise=0, tolerance=TOLERANCE)
    learned = _learned(fit, prior, around, of_types, moves)
    unattached = unattached_types(judged)
    move = move_of_unattached(judged, unattached, around, scored_model(around, learned))
    moved = {name: learned.shifts.get(name, 0) + move for name in unattached}
    return replace(learned, shifts={**learned.shifts, **moved})


@cache
def _columns() -> dict[str, dict[str, int]]:
    """Return the number of each weight, by record type and clause."""
    places = enumerate((name, row.clause) for name, rows in load_catalog().items() for row in rows)
    columns: dict[str, dict[str, int]] = {}
    for place, (record_type, clause) in places:
        columns.setdefault(record_type, {})[clause] = place
    return columns


def _moves(of_types: Sequence[TypeLists], facts: Facts) -> _Moves:
    """Return a column for each list, each list with a frequent fact, and each of these facts."""
    searches: dict[str, list[JudgedSearch]] = {}
    for of_type in of_types:
        for one in of_type.lists:
            searches.setdefault(one.shown.name, []).append(one.search)
    frequent = {name: _frequent_facts(of_list, facts) for name, of_list in searches.items()}
    columns = count()
    return _Moves(
        shifts={name: next(columns) for name in frequent},
        conditions={
            name: {fact: next(columns) for fact in of_list} for name, of_list in frequent.items()
        },
        levels={
            fact: next(columns) for fact in sorted({f for of in frequent.values() for f in of})
        },
    )


def _frequent_facts(judged: Sequence[JudgedSearch], facts: Facts) -> list[str]:
    """Return the facts that enough of these searches have and enough lack."""
    of_searches = [facts[search.search.query] for search in judged]
    judges = [search.judge for search in judged]
    frequent = []
    for fact in sorted({fact for of_search in of_searches for fact in of_search}):
        has = np.array([fact in of_search for of_search in of_searches])
        if min(_count(judges, has), _count(judges, ~has)) >= MIN_SEARCHES:
            frequent.append(fact)
    return frequent


def _count(judges: Sequence[str], chosen: NDArray[np.bool_]) -> float:
    """Return for how many the chosen searches count, none of a searcher's too much."""
    weights = searcher_weights([judges[i] for i in np.flatnonzero(chosen).tolist()])
    return 0.0 if weights is None else float(weights.sum()) + ROUNDING


def _records(
    of_types: Sequence[TypeLists], moves: _Moves, facts: Facts, rejected: float
) -> JudgedRecords:
    """Return every record of these lists; each list is a query by itself."""
    fired: list[Integers] = []
    ends: list[Integers] = []
    shifted: list[list[int]] = []
    labels, weights, sizes = [], [], []
    for of_type in of_types:
        column_of = _columns()[of_type.record_type]
        for one, weight in zip(of_type.lists, of_type.weights.tolist(), strict=True):
            shown = one.shown
            columns = np.array([column_of.get(clause, -1) for clause in shown.clauses], np.int64)
            bits = shown.bits & (columns >= 0)
            fired.append(columns[np.nonzero(bits)[1]])
            ends.append(bits.sum(axis=1))
            shifted.append(moves.of(shown.name, facts[one.search.search.query]))
            labels.append(one.labels)
            was_rejected = [record in one.search.rejected for record in shown.records]
            weights.append(weight * np.where(was_rejected, rejected, 1.0))
            sizes.append(len(shown.records))
    lengths = np.array([len(columns) for columns in shifted])
    weight_count = sum(map(len, _columns().values()))
    return JudgedRecords(
        fired=_ones(np.concatenate(fired), np.concatenate(ends), weight_count),
        lists=np.repeat(np.arange(len(sizes)), sizes),
        shifted=_ones(np.concatenate(shifted), lengths, moves.count),
        labels=np.concatenate(labels),
        offsets=np.cumsum([0, *sizes]),
        sources=np.zeros(len(sizes), np.int64),
        weights=np.concatenate(weights),
    )


def _ones(indices: Integers, lengths: Integers, columns: int) -> csr_array:
    """Return a matrix with a 1 at each index; ``lengths`` say how many each row has."""
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    parts = (np.ones(len(indices)), indices.astype(np.int32), ends)
    return csr_array(parts, shape=(len(lengths), columns))


def _prior(around: Model, of_types: Sequence[TypeLists], moves: _Moves) -> Prior:
    rows = [row for of_type in load_catalog().values() for row in of_type]
    number = {clause: place for place, clause in enumerate(sorted({row.clause for row in rows}))}
    shifts, spread = np.zeros(moves.count), np.full(moves.count, SHIFT_SD)
    spread[[*moves.levels.values()]] = np.inf
    for name, record_type in _list_types(of_types):
        shifts[moves.shifts[name]] = around.shift(name, record_type) / UNITS_PER_BIT
    return Prior(
        weights=np.array([around.weight(row.record_type, row.clause) for row in rows])
        / UNITS_PER_BIT,
        clauses=np.array([number[row.clause] for row in rows]),
        signs=np.array([row.polarity for row in rows]),
        shifts=shifts,
        clause_sd=CLAUSE_SD,
        weight_sd=WEIGHT_SD,
        source_sd=None,
        shift_sd=spread,
        shift_reach=np.where(np.isfinite(spread), SHIFT_REACH, np.inf),
    )


def _list_types(of_types: Sequence[TypeLists]) -> Iterable[tuple[str, str]]:
    """Return the name and the record type of each list."""
    return dict.fromkeys(
        (one.shown.name, of_type.record_type) for of_type in of_types for one in of_type.lists
    )


def _learned(
    fit: HierarchicalFit,
    prior: Prior,
    around: Model,
    of_types: Sequence[TypeLists],
    moves: _Moves,
) -> Learned:
    level = float(fit.levels[0])
    shifts = {name: to_units(bits / UNITS_PER_BIT + level) for name, bits in around.shifts.items()}
    conditions, at_bound = {}, []
    reached = np.abs(fit.shifts - prior.shifts) > SHIFT_REACH - 1 / UNITS_PER_BIT
    for name, column in moves.shifts.items():
        columns = moves.conditions[name]
        shifts[name] = to_units(float(fit.shifts[column]) + level)
        bits = {fact: to_units(float(fit.shifts[at])) for fact, at in columns.items()}
        conditions[name] = {fact: units for fact, units in bits.items() if units}
        if reached[[column, *columns.values()]].any():
            at_bound.append(name)
    return Learned(
        weights={
            record_type: {name: to_units(float(fit.weights[at])) for name, at in columns.items()}
            for record_type, columns in _columns().items()
        },
        shifts=shifts,
        conditions={**around.conditions, **conditions},
        types=tuple(of_type.record_type for of_type in of_types),
        at_bound=tuple(at_bound),
    )


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


def choose_rejected(judged: Sequence[JudgedSearch], around: Model, *, seed: int) -> float:
    """Return how often a rejected record is to count."""
    rejecting = [search.is_independent and bool(search.rejected) for search in judged]
    groups = person_groups(judged)
    if sum(rejecting) < MIN_REJECTING or len(set(groups)) < FOLDS:
        return REJECTED
    folds = k_folds(groups, FOLDS, seed)

    def ndcg(rejected: float) -> Floats:
        values = []
        for learn_from, held in folds:
            learned = learn_map([judged[i] for i in learn_from], around, rejected=rejected)
            model = scored_model(around, learned)
            rankings = [rank_search(model, judged[i]) for i in held if judged[i].is_independent]
            values += [*measure_rankings(rankings).ndcg.values()] if rankings else []
        return np.array(values)

    usual, best, gain = ndcg(REJECTED), REJECTED, 0.0
    for choice in CHOICES:
        differences = ndcg(choice) - usual
        error = float(differences.std(ddof=1)) / len(differences) ** 0.5
        if differences.mean() > max(gain, error):
            best, gain = choice, float(differences.mean())
    return best
