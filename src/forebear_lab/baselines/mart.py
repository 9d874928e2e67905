"""MART: boosted regression trees on the labels, record by record (Friedman 2001)."""

from dataclasses import dataclass

from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.boosted_trees import fit_trees
from forebear_lab.experiments.fuser import Fitted


@dataclass(frozen=True, slots=True, kw_only=True)
class Mart:
    """Learn trees that predict the label."""

    seed: int
    queries: int = 300  # drawn at most
    trees: int = 150

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Train the trees."""
        return fit_trees(
            dataset,
            {"objective": "regression"},
            trees=self.trees,
            queries=self.queries,
            seed=self.seed,
        )
