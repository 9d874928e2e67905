"""The paper's training: clause weights of each list by coordinate ascent, then its fusion.

First the clause weights of each record type, by customized coordinate ascent on NDCG over the
lists people were shown; a logistic slope then puts them in bits.  Second the shifts that fuse the
lists, by stochastic search on the NDCG of the fused list (Jiang et al., "Ranking in Genealogy",
section 3).  It is here for comparison: with some hundreds of searches it learns less than
`forebear.learning.map_training`, because nothing holds 110 weights of a type together.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from forebear.interactions.events import JudgedSearch
from forebear.kernels.ndcg import Floats
from forebear.learning.calibrate import fit_slope, score_searches
from forebear.learning.coordinate_ascent import CoordinateAscent
from forebear.learning.dataset import FusionDataset, TrainingHistory
from forebear.learning.judged_lists import (
    Learned,
    Progress,
    TypeLists,
    clause_dataset,
    limited_weights,
    lists_to_learn_from,
)
from forebear.learning.stochastic_search import StochasticSearch
from forebear.search.expansion.catalog import load_catalog
from forebear.search.model import UNITS_PER_BIT, Model, to_units


def learn_paper(
    judged: Sequence[JudgedSearch], base: Model, *, seed: int, progress: Progress
) -> Learned:
    """Return the weights and shifts that rank these searches best; ``base`` has the others."""
    weights = {name: dict(of_type) for name, of_type in base.weights.items()}
    shifts = dict(base.shifts)
    histories: dict[str, TrainingHistory] = {}
    for of_type in lists_to_learn_from(judged):
        name = of_type.record_type
        progress(f"weights of {name}: {len(of_type.lists)} lists")
        learned = _learn_weights(of_type, seed)
        if learned is not None:
            weights[name], shifts[name], histories[name] = learned
    progress(f"fusion of {len(judged)} searches")
    types = tuple(histories)
    scored = replace(base, weights=weights, shifts=shifts)
    shifts, histories["fusion"] = _learn_shifts(judged, scored, seed)
    return Learned(weights=weights, shifts=shifts, types=types, histories=histories)


def _learn_weights(
    of_type: TypeLists, seed: int
) -> tuple[dict[str, int], int, TrainingHistory] | None:
    """Return a type's weights and shift, in 64ths of a bit, and the history of the training.

    None means that the learned weights order records backwards and must not be used.
    """
    rows = load_catalog()[of_type.record_type]
    signs = np.array([row.polarity for row in rows], dtype=np.int64)
    dataset = clause_dataset(of_type.record_type, of_type.lists, weights=of_type.weights)
    relevant = [number for number, one in enumerate(of_type.lists) if one.labels.any()]
    learner = CoordinateAscent(seed=seed, start="customized")
    learned, history = learner.fit(dataset.take(relevant), signs=signs)
    counted = dataset.record_weights
    line = fit_slope(dataset.features @ learned.values, dataset.labels, counted)
    if line.slope <= 0:
        return None
    bits = {
        row.clause: to_units(weight)
        for row, weight in zip(rows, learned.values * line.slope, strict=True)
    }
    return bits, to_units(line.intercept), history


def _learn_shifts(
    judged: Sequence[JudgedSearch], model: Model, seed: int
) -> tuple[dict[str, int], TrainingHistory]:
    """Return the shift of every list, in 64ths of a bit, and the history of the training."""
    lists = {shown.name: shown for search in judged for shown in search.search.lists}
    start = {name: model.shift(name, shown.record_type) for name, shown in lists.items()}
    dataset = score_searches(judged, model, shifts=start, weights=limited_weights(judged))
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
