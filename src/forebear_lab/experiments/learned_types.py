"""How are an engine's lists fused as in the paper, each type ranked by weights of its records?

The engine's clauses weigh log-odds, so the scores of all its lists are on one scale, and little is
left for fusion to learn.  The paper first learns record-specific weights for each type by
customized coordinate ascent, and such scores have no common scale.  Here the weights of each type
are learned from the logged clause bits of half of the searches; the lists of the other half are
ranked by them, and that half is the fusion data.  Searches that share a relevant record are in the
same half.

A clause that speaks for a record has no weight below 0, one that speaks against it none above.  The
score is the sum of the weights of all clauses that fire, and of the sizes of those against the
record that could fire but do not, so scores are positive, as the paper's are, and the weights of
lists multiply them.  A type whose lists have too few relevant records weighs all clauses alike.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from forebear.interactions.events import JudgedSearch, LoggedList
from forebear.kernels.ndcg import Floats, Integers
from forebear.learning.calibrate import rescore
from forebear.learning.coordinate_ascent import CoordinateAscent
from forebear.learning.dataset import FusionDataset, bounds
from forebear.learning.judged_lists import clause_dataset, lists_of_type
from forebear.learning.measures import split_groups
from forebear.learning.starts import uniform_weights
from forebear.search.expansion.catalog import load_catalog
from forebear_lab.experiments.data import FusionData
from forebear_lab.experiments.engine_data import MIN_LISTS, EngineSearches, fusion_data
from forebear_lab.experiments.parts import one_thread

Progress = Callable[[str], None]

SHARE = 0.5  # of the searches, to learn record weights from
START = "customized"
_LEAST_SCORE = 1e-6  # of a record without any evidence: a weight has to be able to multiply it

Weights = Mapping[str, float]  # by clause


def learned_fusion_data(searches: EngineSearches, *, seed: int, progress: Progress) -> FusionData:
    """Return half of the searches with their lists ranked by weights learned from the others."""
    held, learned = split_groups(searches.groups, SHARE, seed)
    source = [searches.judged[number] for number in learned.tolist()]
    fused = replace(searches, judged=tuple(searches.judged[number] for number in held.tolist()))
    types = sorted({shown.record_type for one in fused.judged for shown in one.search.lists})
    weights = {}
    with one_thread():
        for record_type in types:
            weights[record_type], description = learn_type(record_type, source, seed=seed)
            progress(f"{record_type}: {description}")
    label = (
        f"{searches.label}; the record weights of each type are learned from {len(source):,} of "
        "them by customized coordinate ascent, the others are fused"
    )
    archive = f"{searches.archive}, each type ranked by learned weights"
    data = _rescored(fused, weights)
    return replace(data, label=label, archive=archive, learned_types=True)


def learn_type(
    record_type: str, judged: Sequence[JudgedSearch], *, seed: int
) -> tuple[Weights, str]:
    """Return the weight of each clause of a record type, and how it was learned in words."""
    rows = load_catalog()[record_type]
    names, signs = [row.clause for row in rows], np.array([row.polarity for row in rows], np.int64)
    lists = [one for one in lists_of_type(judged, record_type) if one.labels.any()]
    if len(lists) < MIN_LISTS:
        alike = uniform_weights(len(names), signs).tolist()
        return dict(zip(names, alike, strict=True)), f"{len(lists)} lists are too few to learn from"
    learner = CoordinateAscent(seed=seed, start=START)
    learned, history = learner.fit(clause_dataset(record_type, lists), signs=signs)
    last = history.last
    return learned.as_dict(), (
        f"NDCG {last.train:.4f} of {len(lists):,} lists after {last.evaluations:,} evaluations"
    )


def score_list(shown: LoggedList, weights: Weights) -> Floats:
    """Return the positive score of each record of a list."""
    values = np.array([weights[clause] for clause in shown.clauses], np.float64)
    scores = shown.bits.astype(np.float64) @ values - np.minimum(values, 0.0).sum()
    return np.asarray(np.maximum(scores, _LEAST_SCORE), np.float64)


def _rescored(searches: EngineSearches, weights: Mapping[str, Weights]) -> FusionData:
    """Return the lists with other scores and in their order, the engine's scores in it too."""
    engine = fusion_data(searches)
    cells = list(_ordered_lists(searches, engine, weights))
    dataset = FusionDataset(
        scores=np.concatenate([scores for scores, _, _ in cells]),
        labels=np.concatenate([labels for _, labels, _ in cells]),
        offsets=bounds([scores.size for scores, _, _ in cells]),
        list_names=engine.dataset.list_names,
        query_ids=engine.dataset.query_ids,
        unfound=engine.dataset.unfound,
    )
    return replace(
        engine, dataset=dataset, engine_scores=np.concatenate([fused for _, _, fused in cells])
    )


def _ordered_lists(
    searches: EngineSearches, engine: FusionData, weights: Mapping[str, Weights]
) -> Iterator[tuple[Floats, Integers, Floats]]:
    """Yield scores, labels and the engine's fused scores of every list, by the new scores."""
    names, offsets, fused = engine.dataset.list_names, engine.dataset.offsets, engine.engine_scores
    assert fused is not None  # the data is the engine's
    for number, one in enumerate(searches.judged):
        lists = {shown.name: shown for shown in one.search.lists}
        for cell, name in enumerate(names, start=number * len(names)):
            if (shown := lists.get(name)) is None:
                yield np.zeros(0), np.zeros(0, np.int64), np.zeros(0)
                continue
            scores = score_list(shown, weights[shown.record_type])
            relevant = np.array([key in one.attached for key in shown.records], np.int64)
            by_engine = np.argsort(-rescore(shown, searches.model), kind="stable")
            moved = np.zeros(scores.size)
            moved[by_engine] = fused[offsets[cell] : offsets[cell + 1]]
            order = np.argsort(-scores, kind="stable")
            yield scores[order], relevant[order], moved[order]
