"""How many wrong records does a rejected one count for?  Three, unless a cross-fit says otherwise.

A rejection is a judgment; other wrong records are only not attached.  How much more it says depends
on how people reject.  With MIN_REJECTING searches that can compare models and rejected something,
three folds by person compare the numbers of CHOICES by NDCG, and another than three is taken if it
is better by more than its standard error.
"""

from collections.abc import Sequence

import numpy as np

from forebear.interactions.events import JudgedSearch, person_groups
from forebear.kernels.ndcg import Floats
from forebear.learning.folds import k_folds
from forebear.learning.learned import scored_model
from forebear.learning.logged_rankings import measure_rankings, rank_search
from forebear.learning.map_training import REJECTED, learn_map
from forebear.search.model import Model

CHOICES = (1.0, 10.0)
FOLDS = 3
MIN_REJECTING = 100


def choose_rejected(judged: Sequence[JudgedSearch], around: Model, *, seed: int) -> float:
    """Return how often a rejected record is to count."""
    rejecting = [search.is_independent and bool(search.rejected) for search in judged]
    groups = person_groups(judged)
    if sum(rejecting) < MIN_REJECTING or len(set(groups)) < FOLDS:
        return REJECTED
    folds = k_folds(groups, FOLDS, seed)

    def ndcg(rejected: float) -> Floats:
        values = []
        for learn_from, held in folds:
            learned = learn_map([judged[i] for i in learn_from], around, rejected=rejected)
            model = scored_model(around, learned)
            rankings = [rank_search(model, judged[i]) for i in held if judged[i].is_independent]
            values += [*measure_rankings(rankings).ndcg.values()] if rankings else []
        return np.array(values)

    usual, best, gain = ndcg(REJECTED), REJECTED, 0.0
    for choice in CHOICES:
        differences = ndcg(choice) - usual
        error = float(differences.std(ddof=1)) / len(differences) ** 0.5
        if differences.mean() > max(gain, error):
            best, gain = choice, float(differences.mean())
    return best
