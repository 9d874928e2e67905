"""How do the results of two models become one, so that people decide between them?

Both models rank what the same search found; team draft makes one list of the two.  Each hit keeps
the score and the explanation of the model whose team picked it.  Its probability is that of its
model, too, and probabilities are pooled over the one list, so that none rises.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from forebear.search.fusion.team_draft import team_draft
from forebear.search.results.probability import Probabilities, ScoredHits, pool, to_probability
from forebear.search.searcher import SearchResult

TEAM_LETTERS = "AB"  # of the model in use, and of the challenger


def interleave(result: SearchResult, challenger: SearchResult, *, seed: str) -> SearchResult:
    """Return a result whose records are picked by two models in turn."""
    both = (result, challenger)
    hits = [{hit.hit.record_key: hit for hit in ranking.fused} for ranking in both]
    picks = team_draft(list(hits[0]), list(hits[1]), seed=seed)
    return replace(
        result,
        fused=tuple(hits[team][record] for record, team in picks),
        probabilities=_pool_together(
            {record: both[team].probabilities for record, team in picks}, result.probabilities
        ),
        drafted={record: challenger for record, team in picks if team},
        challenger=challenger.model.name,
    )


def teams_of(result: SearchResult) -> str:
    """Return one letter for each record of a result: whose it is; "" if it is not interleaved."""
    if not result.challenger:
        return ""
    return "".join(TEAM_LETTERS[hit.hit.record_key in result.drafted] for hit in result.fused)


def _pool_together(parts: Mapping[str, Probabilities], base: Probabilities) -> Probabilities:
    """Return the probabilities of one list whose records are of several results."""
    chosen = [(part, part.places[record]) for record, part in parts.items()]
    raw = np.array([part.raw[place] for part, place in chosen], np.float64)
    pooled = pool(raw)
    return Probabilities(
        constants=base.constants,
        offset=base.offset,
        places={record: place for place, record in enumerate(parts)},
        hits=ScoredHits(
            scores=np.array([part.hits.scores[place] for part, place in chosen], np.float64),
            classes=[part.hits.classes[place] for part, place in chosen],
            groups=[part.hits.groups[place] for part, place in chosen],
            records=[part.hits.records[place] for part, place in chosen],
        ),
        raw=raw,
        pooled=pooled,
        values=to_probability(pooled).tolist(),
        parts=parts,
    )
