"""Learned fusion weights as an OpenSearch search pipeline, where that can express them.

OpenSearch fuses the clauses of a `hybrid` query: it normalizes each clause's scores within the
query, multiplies them by weights and takes the mean.  With one clause a list, and lists that
are disjoint, that is our fusion by weights, if they were learned after the same normalization.
It is not if scores were taken as they are, calibrated, shifted by facts of the query, or if
there are more lists than a hybrid query may have clauses.
"""

from typing import Any

from forebear.errors import ModelError
from forebear_lab.learning.fusion_model import FusionModel

MOST_CLAUSES = 5  # of a hybrid query, in OpenSearch 2.10 to 3.x


def normalization_pipeline(model: FusionModel) -> dict[str, Any]:
    """Return the body of the pipeline; the weights are in the order of the model's lists.

    The clauses of the hybrid query must come in that order, and each must return as many
    records as the lists had that the weights were learned from.
    """
    _check(model)
    weights = {name: 2.0**one.shift for name, one in model.lists.items()}
    total = sum(weights.values())
    return {
        "description": f"weights of {', '.join(weights)}, in this order",
        "phase_results_processors": [
            {
                "normalization-processor": {
                    "normalization": {"technique": model.norm},
                    "combination": {
                        "technique": "arithmetic_mean",
                        "parameters": {"weights": [w / total for w in weights.values()]},
                    },
                }
            }
        ],
    }


def _check(model: FusionModel) -> None:
    lists = model.lists.values()
    too_many = f"it fuses {len(lists)} lists, and a hybrid query has at most {MOST_CLAUSES} clauses"
    reasons = {
        "it shifts scores in bits, and OpenSearch only multiplies": model.scale != "weights",
        "it takes scores as they are, and OpenSearch normalizes them": model.norm == "none",
        "it calibrates scores": any(one.calibration for one in lists),
        "it moves lists by facts of the query": any(one.conditions for one in lists),
        too_many: len(lists) > MOST_CLAUSES,
    }
    found = [reason for reason, holds in reasons.items() if holds]
    if found:
        raise ModelError(
            f"an OpenSearch normalization pipeline cannot express this model: {'; '.join(found)}",
            hint="learn with `--normalize min_max --no-slopes`, on at most 5 lists, without facts",
        )
