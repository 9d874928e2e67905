"""How much diversity does a little relevance buy?  Fused lists under a decay, swept.

The lists are fused by what was learned exactly; then every record taken from a list lowers
what is left of it by some bits.
"""

from forebear.learning.dataset import FusionDataset
from forebear_lab.experiments.bits import scale_of
from forebear_lab.learning.learn_fusion import FusionLearner
from forebear_lab.learning.trade_off import FusedLists, pareto_front, sweep_decays

DECAYS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 100.0)  # bits


def sweep_trade_offs(
    train: FusionDataset, test: FusionDataset, *, seed: int
) -> list[dict[str, float]]:
    """Return NDCG and NCE of the test queries for each decay, and whether it is on the front."""
    model, _ = FusionLearner(method="exact", seed=seed, scale=scale_of(train)).fit(train)
    lists = FusedLists(model.prepare(test), ideal="paper")
    found = sweep_decays(lists, model.rows(test), DECAYS)
    front = set(pareto_front(found))
    return [
        {"decay": one.decay, "ndcg": one.ndcg, "nce": one.nce, "front": float(one in front)}
        for one in found
    ]
