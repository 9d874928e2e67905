"""In which order are the parts of the paper's size computed?

First what all claims of the paper need and what is quick: linear methods, merging, the settings of
stochastic search, other numbers of lists, and record weights.  Then slow learners, one after the
other through all folds, because a method has a row when its last fold is there.  RankLib's own
program is last.
"""

from forebear_lab.baselines.ranklib import RANKERS

# Learners of fusion whose training takes minutes at the paper's size.
SLOW = (
    *("lambdamart", "mart", "forest", "adarank", "listnet", "ranknet", "rankboost"),
    *("regression", "annealing", "vogt", "wu", "listnet_shares", "lambdamerge"),
)
RANKLIB_PREFIX = "ranklib_"
_ORDER = (*SLOW, *(f"{RANKLIB_PREFIX}{name}" for name in RANKERS))
_RANKS = {name: rank for rank, name in enumerate(_ORDER, start=1)}


def rank_method(method: str) -> int:
    """Return when a method comes: 0 for all quick ones, then one after the other."""
    return _RANKS.get(method, 0)
