"""Which measure does a name mean?

The one table of names: commands, reports and documentation read it, and a new measure is
a file and a line here.
"""

from forebear_lab.evaluation.measures import (
    alpha_dcg,
    alpha_ndcg,
    average_precision,
    cumulative_entropy,
    dcg,
    entropy,
    map_ia,
    mrr_ia,
    nce,
    ndcg,
    ndcg_ia,
    precision,
    recall,
    reciprocal_rank,
    srecall,
    success,
)
from forebear_lab.evaluation.measures.definition import Definition

_DEFINITIONS = (
    ndcg.DEFINITION,
    dcg.DEFINITION,
    precision.DEFINITION,
    recall.DEFINITION,
    success.DEFINITION,
    reciprocal_rank.DEFINITION,
    average_precision.DEFINITION,
    entropy.DEFINITION,
    cumulative_entropy.DEFINITION,
    nce.DEFINITION,
    srecall.DEFINITION,
    alpha_dcg.DEFINITION,
    alpha_ndcg.DEFINITION,
    ndcg_ia.DEFINITION,
    mrr_ia.DEFINITION,
    map_ia.DEFINITION,
)

MEASURES: dict[str, Definition] = {definition.name: definition for definition in _DEFINITIONS}
SPELLINGS: dict[str, str] = {
    spelling: definition.name
    for definition in _DEFINITIONS
    for spelling in (definition.name, *definition.spellings)
}
