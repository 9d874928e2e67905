"""Reciprocal ranks weighted by what each list is worth: prior / (60 + rank).

Drexel's runs at FedWeb 2014, with the resource score learned from judgments.
"""

from dataclasses import dataclass

from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.list_priors import list_priors
from forebear_lab.baselines.normalized import ranks_in_lists
from forebear_lab.baselines.round_robin import RRF_CONSTANT
from forebear_lab.experiments.fuser import Fitted, Row, named


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedRrf:
    """Learn a prior a list; rank by it over the rank."""

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Learn the priors."""
        priors = list_priors(dataset)

        def score(lists: FusionDataset) -> Row:
            return priors[lists.lists_of_records()] / (RRF_CONSTANT + ranks_in_lists(lists))

        return Fitted(score=score, settings={"k": RRF_CONSTANT}, weights=named(dataset, priors))
