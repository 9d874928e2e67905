"""LambdaMART: boosted trees that follow LambdaRank's gradients (Wu, Burges, Svore and Gao 2010)."""

from dataclasses import dataclass

from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.boosted_trees import fit_trees
from forebear_lab.experiments.fuser import Fitted


@dataclass(frozen=True, slots=True, kw_only=True)
class LambdaMart:
    """Learn trees for NDCG@100; LightGBM's usual truncation at 30 would aim at less."""

    seed: int
    queries: int = 300  # drawn at most
    trees: int = 150

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Train the trees."""
        parameters = {
            "objective": "lambdarank",
            "label_gain": [0, 1],
            "lambdarank_truncation_level": 100,
        }
        return fit_trees(
            dataset, parameters, trees=self.trees, queries=self.queries, seed=self.seed
        )
