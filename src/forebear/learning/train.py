"""How do judged searches become a model?  The paper's two steps.

First the clause weights of each record type, by customized coordinate ascent on NDCG over the
lists people were shown; a logistic slope then puts them in bits.  Second the shifts that fuse the
lists, by stochastic search on the NDCG of the fused list.  A record type with too few attachments
keeps the weights it has.  Last come the constants that turn the new scores into probabilities.

No searcher has more than a twentieth of the weight, in the whole and in each record type
(`forebear.learning.searcher_weights`).
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from forebear.errors import ModelError
from forebear.interactions.events import JudgedSearch
from forebear.kernels.ndcg import Floats
from forebear.learning.calibrate import ROUNDING, fit_slope, score_searches
from forebear.learning.clause_bits import JudgedList, clause_dataset, lists_of_type
from forebear.learning.coordinate_ascent import CoordinateAscent
from forebear.learning.dataset import FusionDataset, RankingDataset
from forebear.learning.history import TrainingHistory
from forebear.learning.probability import fit_constants, judge_log
from forebear.learning.searcher_weights import (
    LEAST_SEARCHERS,
    OWNER,
    largest_share,
    list_weights,
    searcher_weights,
)
from forebear.learning.stochastic_search import StochasticSearch
from forebear.search.expansion.catalog import load_catalog
from forebear.search.model import (
    UNITS_PER_BIT,
    Model,
    ProbabilityConstants,
    shipped_constants,
    to_units,
)

MIN_SEARCHES = 5  # with an attachment in the list, below which a type learns nothing
PRIOR_ATTACHMENTS = 30  # what the previous weights count for, against what was attached

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """A model and how it was learned."""

    model: Model
    searches: int
    learned: tuple[str, ...]  # record types
    unchanged: tuple[str, ...]  # record types whose weights stayed as they were
    histories: Mapping[str, TrainingHistory]  # by record type, and "fusion"
    searchers: int = 0  # who judged these searches, beside the owner
    largest_share: float = 0.0  # of the weight, that one of them has


def train(
    judged: Sequence[JudgedSearch],
    base: Model,
    *,
    seed: int,
    progress: Progress = lambda _: None,
) -> Training:
    """Return a model learned from these searches; ``base`` is what it starts from."""
    useful = [search for search in judged if search.attached]
    if not useful:
        raise ModelError(
            "nothing was attached yet, so there is nothing to learn from",
            hint="attach records to searches first: forebear attach SEARCH RECORD",
        )
    search_weights = limited_weights(useful)
    weights = {name: dict(of_type) for name, of_type in base.weights.items()}
    shifts = dict(base.shifts)
    histories: dict[str, TrainingHistory] = {}
    for record_type in load_catalog():
        lists = lists_of_type(useful, record_type)
        attached = np.array([one.labels.any() for one in lists], dtype=np.bool_)
        counted = list_weights([one.search.judge for one in lists], attached)
        if counted is None or counted[attached].sum() < MIN_SEARCHES - ROUNDING:
            continue
        progress(f"weights of {record_type}: {len(lists)} lists")
        learned = _learn_weights(record_type, lists, counted, weights[record_type], seed)
        if learned is not None:
            weights[record_type], shifts[record_type], histories[record_type] = learned
    scored = replace(base, weights=weights, shifts=shifts)
    progress(f"fusion of {len(useful)} searches")
    shifts, histories["fusion"] = _learn_shifts(useful, search_weights, scored, seed)
    progress("probabilities")
    constants = _learn_constants(useful, search_weights, scored)
    model = replace(
        scored,
        shifts=shifts,
        data=_hash(useful),
        seed=seed,
        measures={},
        probability=constants,
    )
    return Training(
        model=model,
        searches=len(useful),
        learned=tuple(name for name in histories if name != "fusion"),
        unchanged=tuple(name for name in load_catalog() if name not in histories),
        histories=histories,
        searchers=len({search.judge for search in useful} - {OWNER}),
        largest_share=largest_share([search.judge for search in useful], search_weights),
    )


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


def _learn_weights(
    record_type: str,
    lists: Sequence[JudgedList],
    query_weights: Floats,
    before: Mapping[str, int],
    seed: int,
) -> tuple[dict[str, int], int, TrainingHistory] | None:
    """Return a type's weights and shift, in 64ths of a bit, and the history of the training.

    None means that the learned weights order records backwards and must not be used.
    """
    rows = load_catalog()[record_type]
    names = [row.clause for row in rows]
    signs = np.array([row.polarity for row in rows], dtype=np.int64)
    dataset = clause_dataset(record_type, lists, weights=query_weights)
    relevant = [number for number, one in enumerate(lists) if one.labels.any()]
    learner = CoordinateAscent(seed=seed, start="customized")
    learned, history = learner.fit(dataset.take(relevant), signs=signs)
    counted = dataset.record_weights
    line = fit_slope(dataset.features @ learned.values, dataset.labels, counted)
    if line.slope <= 0:
        return None
    shrunk = _shrink(dataset, learned.values * line.slope, names, before)
    shift = fit_slope(dataset.features @ shrunk, dataset.labels, counted).intercept
    bits = {name: to_units(weight) for name, weight in zip(names, shrunk, strict=True)}
    return bits, to_units(shift), history


def _shrink(
    dataset: RankingDataset, learned: Floats, names: Sequence[str], before: Mapping[str, int]
) -> Floats:
    """Return weights between the previous and the learned ones, as far as each was tested.

    A clause that fired on n attached records moves n / (n + PRIOR_ATTACHMENTS) of the way:
    one that never fired keeps the weight it had.  Both sides are in bits, so they mix.
    """
    previous = np.array([before.get(name, 0) / UNITS_PER_BIT for name in names])
    attached = dataset.labels > 0
    tested = dataset.record_weights[attached] @ dataset.features[attached]
    share = tested / (tested + PRIOR_ATTACHMENTS)
    shrunk: Floats = share * learned + (1 - share) * previous
    return shrunk


def _learn_shifts(
    judged: Sequence[JudgedSearch], weights: Floats, model: Model, seed: int
) -> tuple[dict[str, int], TrainingHistory]:
    """Return the shift of every list, in 64ths of a bit, and the history of the training."""
    lists = {shown.name: shown for search in judged for shown in search.search.lists}
    start = {name: model.shift(name, shown.record_type) for name, shown in lists.items()}
    dataset = score_searches(judged, model, shifts=start, weights=weights)
    learned, history = StochasticSearch(seed=seed).fit(dataset)
    moves = learned.array(dataset.list_names)
    common = _common_shift(dataset, moves)
    shifts = {
        name: to_units(start[name] / UNITS_PER_BIT + move + common)
        for name, move in zip(dataset.list_names, moves.tolist(), strict=True)
    }
    return {**model.shifts, **shifts}, history


def _common_shift(dataset: FusionDataset, shifts: Floats) -> float:
    """Return what to add to all shifts so that probabilities add up to what was attached.

    Only differences of shifts matter for the order; this one number makes the fused score
    mean a probability.
    """
    fused = dataset.scores + shifts[dataset.lists_of_records()]
    weights = dataset.record_weights
    attached = float(weights @ dataset.labels)
    low, high = -64.0, 64.0
    for _ in range(60):
        middle = (low + high) / 2
        expected = float((weights / (1 + np.exp2(-(fused + middle)))).sum())
        low, high = (middle, high) if expected < attached else (low, middle)
    return (low + high) / 2


def _learn_constants(
    judged: Sequence[JudgedSearch], weights: Floats, model: Model
) -> ProbabilityConstants:
    """Return the constants of the probabilities for new weights; none is learned by removal."""
    searches = [
        judge_log(search, model, weight=weight)
        for search, weight in zip(judged, weights.tolist(), strict=True)
    ]
    copies = [search.without_right() for search in searches]
    return fit_constants([*searches, *copies], shipped_constants())


def _hash(judged: Sequence[JudgedSearch]) -> str:
    digest = hashlib.sha256()
    for search in judged:
        digest.update(repr((search.search.id, sorted(search.attached))).encode())
        for shown in search.search.lists:
            digest.update(repr((shown.name, shown.records, shown.clauses)).encode())
            digest.update(np.packbits(shown.bits).tobytes())
    return digest.hexdigest()[:12]
