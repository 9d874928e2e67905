"""How varied are fused lists in what is relevant?  S-recall, alpha-NDCG, intent-aware measures.

NCE looks at the record types of a list, whether or not its records are relevant.  These measures
look at relevant records: the aspects (or intents) of a query are the record types that have a
relevant record for it.  So they do not depend on which types a method happens to show, and a list
is varied only if it finds something right of each type.  Definitions and sources are in
`forebear_lab.evaluation.measures`; records of equal score are shuffled, as for NCE.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from forebear.kernels.ndcg import Floats
from forebear_lab.baselines.fuser import MeasuredLists
from forebear_lab.evaluation.measures.definition import Aspects, JudgedRanking
from forebear_lab.evaluation.measures.measure import parse_measure

MEASURES = ("srecall@20", "alpha_ndcg@20", "ndcg_ia@100", "mrr_ia@100", "map_ia@100")


def measure_variety(lists: MeasuredLists, scores: Floats) -> dict[str, Floats]:
    """Return each measure of every query's list, ranked by these scores."""
    measures = [parse_measure(name) for name in MEASURES]
    rows = [[measure.of(ranking) for measure in measures] for ranking in rankings(lists, scores)]
    columns = np.array(rows, np.float64).reshape(-1, len(MEASURES)).T
    return dict(zip(MEASURES, columns, strict=True))


def rankings(lists: MeasuredLists, scores: Floats) -> Iterator[JudgedRanking]:
    """Yield the best records of every query as the measures take them."""
    labels = lists.dataset.labels
    names = lists.type_names[lists.types].tolist()
    for top, (first, last) in zip(
        lists.top_records(scores), pairwise(lists.offsets.tolist()), strict=True
    ):
        grades = labels[top].tolist()
        relevant = first + np.flatnonzero(labels[first:last])
        pairs = zip(top.tolist(), grades, strict=True)
        yield JudgedRanking(
            grades=tuple(grades),
            judged=tuple(labels[relevant].tolist()),
            aspects=Aspects(
                ranked=tuple({names[row]: grade} if grade else {} for row, grade in pairs),
                judged=tuple({names[row]: int(labels[row])} for row in relevant.tolist()),
                by_type=False,
            ),
        )
