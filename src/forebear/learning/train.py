"""How do judged searches become a model?

A method (`forebear.learning.map_training`, or the paper's, `forebear.learning.paper_training`)
learns weights and what moves the lists, near a model that was learned from no judgment.  Then come
the constants that turn the new scores into probabilities.

Imported links and searches that were reviewed to their end teach from the first one.  What was
attached in use or by votes depends on the order that was shown, so it teaches from MIN_USED
searches on.  No searcher has more than a twentieth of the weight, in the whole and in each record
type (`forebear.learning.judged_lists`).
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from forebear.errors import ModelError
from forebear.interactions.events import JudgedSearch
from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import TrainingHistory
from forebear.learning.judged_lists import (
    OWNER,
    Learned,
    Progress,
    largest_share,
    limited_weights,
    scored_model,
)
from forebear.learning.map_training import choose_rejected, learn_map
from forebear.learning.paper_training import learn_paper
from forebear.learning.probability import fit_constants, judge_log
from forebear.search.expansion.catalog import load_catalog
from forebear.search.model import Model, ProbabilityConstants, shipped_constants

MIN_USED = 50  # searches judged in use or by votes, from which on they teach

Method = Literal["map", "paper"]
METHODS: tuple[Method, ...] = get_args(Method)


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """A model and how it was learned."""

    model: Model
    searches: int
    learned: tuple[str, ...]  # record types
    unchanged: tuple[str, ...]  # record types whose lists taught nothing
    at_bound: tuple[str, ...]  # lists whose shift could go no further
    histories: Mapping[str, TrainingHistory]  # of the paper's method, by record type and "fusion"
    left_out: int = 0  # searches judged in use or by votes, too few of them
    searchers: int = 0  # who judged these searches, beside the owner
    largest_share: float = 0.0  # of the weight, that one of them has


def train(
    judged: Sequence[JudgedSearch],
    around: Model,
    *,
    seed: int,
    method: Method = "map",
    progress: Progress = lambda _: None,
) -> Training:
    """Return a model learned from these searches, near one that was learned from none."""
    useful = searches_to_learn_from(judged)
    weights = limited_weights(useful)
    learned = learn(useful, around, seed=seed, method=method, progress=progress)
    progress("probabilities")
    scored = scored_model(around, learned)
    model = replace(
        scored,
        data=_hash(useful),
        seed=seed,
        measures={},
        method=method,
        around=around.name,
        cutoff=max(search.search.at for search in useful),
        probability=_learn_constants(useful, weights, scored),
    )
    return Training(
        model=model,
        searches=len(useful),
        learned=learned.types,
        unchanged=tuple(name for name in load_catalog() if name not in learned.types),
        at_bound=learned.at_bound,
        histories=learned.histories,
        left_out=sum(bool(search.attached) for search in judged) - len(useful),
        searchers=len({search.judge for search in useful} - {OWNER}),
        largest_share=largest_share([search.judge for search in useful], weights),
    )


def searches_to_learn_from(judged: Sequence[JudgedSearch]) -> list[JudgedSearch]:
    """Return the searches with an attachment, those judged in use only if there are enough."""
    attached = [search for search in judged if search.attached]
    sure = [search for search in attached if search.is_independent]
    if not attached:
        raise ModelError(
            "nothing was attached yet, so there is nothing to learn from",
            hint="attach records to searches first: forebear attach SEARCH RECORD",
        )
    if len(attached) - len(sure) >= MIN_USED:
        return attached
    if not sure:
        raise ModelError(
            f"records were attached in {len(attached)} searches in use; they teach from "
            f"{MIN_USED} on",
            hint="go on searching, or import links that you have: forebear attach --batch FILE",
        )
    return sure


def learn(
    judged: Sequence[JudgedSearch],
    around: Model,
    *,
    seed: int,
    method: Method,
    progress: Progress = lambda _: None,
) -> Learned:
    """Return what a method learns from these searches."""
    if method == "paper":
        return learn_paper(judged, around, seed=seed, progress=progress)
    progress(f"weights of {len(judged)} searches")
    rejected = choose_rejected(judged, around, seed=seed)
    return learn_map(judged, around, rejected=rejected)


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
