"""Does a new model rank better?  Learn on some judged searches and compare on the others.

The lists of a logged search stay; a model scores them again.  Searches of one family or one user
are alike, and with some on both sides the comparison would reward remembering; so whole groups are
held out together.  No searcher has more than a twentieth of the weight on either side.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from forebear.errors import InputError
from forebear.interactions.events import JudgedSearch, person_groups
from forebear.kernels.ndcg import Floats, Integers, ideal_dcgs, summed_discounts
from forebear.learning.calibrate import calibrate_model, rescore
from forebear.learning.measures import Comparison, compare, nce_of_arrays, ndcg_of_arrays
from forebear.learning.train import Progress, Training, limited_weights, train
from forebear.search.fusion.conditioned import facts_known, list_move
from forebear.search.model import Model, default_model
from forebear.search.query.person_query import parse_query


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A new model against a baseline, on searches that the new one was not learned from."""

    training: Training
    model: Model
    baseline: str
    before: dict[str, float]  # measures of the baseline
    after: dict[str, float]
    comparison: Comparison  # of NDCG
    held_out: int

    @property
    def is_better(self) -> bool:
        """Return whether the new model ranked the held-out searches better."""
        return self.comparison.difference > 0


def run_trial(
    judged: Sequence[JudgedSearch],
    baseline: Model,
    *,
    seed: int,
    hold_out: float,
    calibrate: bool = False,
    progress: Progress = lambda _: None,
) -> Trial:
    """Learn from a part of the searches and compare with a baseline on the share held out.

    With ``calibrate`` the lists also learn slopes and conditions.
    """
    useful = [search for search in judged if search.attached]
    groups = person_groups(useful)
    if len(set(groups)) < 2:
        raise InputError(
            f"{len(useful)} searches with attachments, of {len(set(groups))} families, are too "
            "few to learn from and to compare on",
            hint="attach records of people from at least two families",
        )
    learn_from, compare_on = split_groups(groups, hold_out, seed)
    learned, held = [useful[i] for i in learn_from], [useful[i] for i in compare_on]
    training = train(learned, default_model(), seed=seed, progress=progress)
    model = training.model
    if calibrate:
        progress(f"slopes and conditions of {len(learned)} searches")
        model = calibrate_model(learned, model, seed=seed)
    weights = limited_weights(held)
    before = judge_model(baseline, held, weights=weights)
    after = judge_model(model, held, weights=weights)
    return Trial(
        training=training,
        model=replace(model, measures=after.means()),
        baseline=baseline.name,
        before=before.means(),
        after=after.means(),
        comparison=compare(before.ndcg, after.ndcg, seed=seed, weights=before.weights),
        held_out=len(held),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelMeasures:
    """NDCG and NCE of a model's fused lists, by search."""

    cutoff: int
    ndcg: dict[str, float]
    nce: dict[str, float]
    weights: dict[str, float]  # how much each search counts

    def means(self) -> dict[str, float]:
        """Return the mean of each measure under its text form."""
        weights = [*self.weights.values()]
        return {
            f"ndcg@{self.cutoff}": float(np.average([*self.ndcg.values()], weights=weights)),
            f"nce@{self.cutoff}": float(np.average([*self.nce.values()], weights=weights)),
        }


def judge_model(
    model: Model,
    judged: Sequence[JudgedSearch],
    *,
    cutoff: int = 100,
    weights: Floats | None = None,
) -> ModelMeasures:
    """Return the measures of the fused lists over the searches with an attachment.

    ``weights`` say how much each search counts, by default 1.
    """
    counted = np.ones(len(judged)) if weights is None else weights
    measured = [pair for pair in zip(judged, counted.tolist(), strict=True) if pair[0].attached]
    useful = [search for search, _ in measured]
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
    nce = nce_of_arrays(types, offsets, cutoff=cutoff, type_count=len(number_of) or 1)
    names = [search.search.id for search in useful]
    return ModelMeasures(
        cutoff=cutoff,
        ndcg=dict(zip(names, ndcg.tolist(), strict=True)),
        nce=dict(zip(names, nce.tolist(), strict=True)),
        weights=dict(zip(names, (weight for _, weight in measured), strict=True)),
    )


def _fuse(model: Model, search: JudgedSearch, number_of: dict[str, int]) -> list[tuple[str, int]]:
    """Return each record with the number of its list, best first; new lists are numbered."""
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


def split_groups(keys: Sequence[str], share: float, seed: int) -> tuple[Integers, Integers]:
    """Return the positions to learn from and those held out; equal keys stay together.

    About ``share`` of the positions are held out, as near as whole groups allow, and at
    least one group is on each side.
    """
    if not 0 < share < 1:
        raise InputError(f"the share to hold out is {share}, not between 0 and 1")
    groups, members, sizes = np.unique(np.asarray(keys), return_inverse=True, return_counts=True)
    if groups.size < 2:
        raise InputError(f"{groups.size} group(s) cannot be split; at least 2 are needed")
    order = np.random.default_rng(seed).permutation(groups.size)
    reached = np.cumsum(sizes[order])[:-1]
    held_count = int(np.argmin(np.abs(reached - share * len(keys)))) + 1
    held = np.isin(members, order[:held_count])
    return np.flatnonzero(~held), np.flatnonzero(held)


def k_folds(keys: Sequence[str], count: int, seed: int) -> tuple[tuple[Integers, Integers], ...]:
    """Return, for each fold, the positions to learn from and those held out.

    Every position is held out once, and equal keys in the same fold.  The folds are about of
    one size: groups, the largest first, go to the fold that has the least.
    """
    groups, members, sizes = np.unique(np.asarray(keys), return_inverse=True, return_counts=True)
    if not 2 <= count <= groups.size:
        raise InputError(
            f"{groups.size} queries or groups of queries cannot make {count} folds",
            hint="a fold needs at least one: give more queries or fewer folds, at least 2",
        )
    order = np.random.default_rng(seed).permutation(groups.size)
    folds = np.zeros(groups.size, np.int64)
    filled = np.zeros(count, np.int64)
    for group in order[np.argsort(-sizes[order], kind="stable")]:
        folds[group] = np.argmin(filled)
        filled[folds[group]] += sizes[group]
    held = folds[members]
    return tuple(
        (np.flatnonzero(held != fold), np.flatnonzero(held == fold)) for fold in range(count)
    )
