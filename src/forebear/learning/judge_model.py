"""How good is a model on logged searches?  The lists stand; the model ranks them anew."""

from collections.abc import Sequence

from forebear.evaluation.evaluate import Evaluation, evaluate
from forebear.evaluation.measures.measure import Measure
from forebear.evaluation.qrels import Qrels
from forebear.evaluation.runs import Run
from forebear.interactions.judgments import JudgedSearch
from forebear.learning.train import rescore
from forebear.search.fusion.conditioned import facts_known, list_move
from forebear.search.model import GRID, Model
from forebear.search.query.from_json import parse_query


def judge_model(
    model: Model, judged: Sequence[JudgedSearch], measures: Sequence[Measure]
) -> Evaluation:
    """Return the measures of the fused lists that the model makes of logged searches."""
    types: dict[str, str] = {}
    scores: dict[str, dict[str, float]] = {}
    for search in judged:
        fused = scores.setdefault(search.search.id, {})
        # Facts matter only to conditions, and old queries need not be understood without them.
        facts = facts_known(parse_query(search.search.query)) if model.conditions else ()
        for shown in search.search.lists:
            move = list_move(model, shown.name, shown.record_type, facts)
            for record, score in zip(shown.records, rescore(shown, model), strict=True):
                fused[record] = move.moved(int(score)) / GRID
                types[record] = shown.name
    grades = {
        search.search.id: dict.fromkeys(search.attached, 1) for search in judged if search.attached
    }
    return evaluate(Run(scores=scores), Qrels(grades=grades), measures, types)
