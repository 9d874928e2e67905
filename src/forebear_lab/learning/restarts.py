"""The best of several trainings that differ in their seeds only.

Coordinate ascent ends in a hollow of its own for every order of features (and for every random
start); which one is best is decided by the validation queries, or without any by the training
queries.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from forebear.errors import InputError
from forebear.learning.coordinate_ascent import ClauseWeights, CoordinateAscent, mean_ndcg
from forebear.learning.dataset import RankingDataset
from forebear.learning.history import Progress, TrainingHistory, join_histories, no_progress
from forebear.learning.starts import Signs
from forebear_lab.learning.exact_ascent import ExactAscent

Learner = TypeVar("Learner", CoordinateAscent, ExactAscent)


def fit_restarts(
    learner: Learner,
    seeds: Sequence[int],
    dataset: RankingDataset,
    *,
    signs: Signs | None = None,
    validation: RankingDataset | None = None,
    progress: Progress = no_progress,
) -> tuple[ClauseWeights, TrainingHistory]:
    """Return the best weights found with any of the seeds, and the history of all trainings."""
    if not seeds:
        raise InputError("no seed was given to start from")
    found, parts = [], []
    for seed in seeds:
        weights, history = replace(learner, seed=seed).fit(
            dataset, signs=signs, validation=validation, progress=progress
        )
        judged = mean_ndcg(validation or dataset, weights.values, cutoff=learner.cutoff)
        found.append((judged, weights))
        parts.append((f"seed {seed}" if len(seeds) > 1 else "", history))
    _, best = max(found, key=lambda one: one[0])
    return best, join_histories(parts)
