"""A random forest: many large trees on random parts of records and features, averaged.

LightGBM's `boosting=rf`: every tree on 63 % of the records, as drawing with replacement leaves,
and 30 % of the features, with 100 leaves, as in RankLib (Breiman 2001).
"""

from dataclasses import dataclass

from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.boosted_trees import fit_trees
from forebear_lab.experiments.fuser import Fitted


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomForest:
    """Learn a forest that predicts the label."""

    seed: int
    queries: int = 300  # drawn at most
    trees: int = 80

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Train the trees."""
        parameters = {
            "objective": "regression",
            "boosting": "rf",
            "bagging_freq": 1,
            "bagging_fraction": 0.632,
            "feature_fraction": 0.3,
            "num_leaves": 100,
        }
        return fit_trees(
            dataset, parameters, trees=self.trees, queries=self.queries, seed=self.seed
        )
