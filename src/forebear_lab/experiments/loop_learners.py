"""Which learners does the loop compare?  Those of `forebear train`, and trees on the same lists.

Searches that teach nothing leave the model `default`, as in the program: the log says too little,
or what it says depends too much on the order that was shown.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from forebear.errors import ModelError
from forebear.interactions.events import JudgedSearch
from forebear.kernels.ndcg import Floats, Integers
from forebear.learning import train
from forebear.learning.judged_lists import scored_model
from forebear.learning.train import searches_to_learn_from
from forebear.search.model import Model, default_model
from forebear_lab.baselines.trees import fit_clause_trees
from forebear_lab.experiments.loop_searches import KnownSearch
from forebear_lab.experiments.rescored_lists import RescoredLists

Learner = Literal["map", "paper", "lambdamart"]
LEARNERS: tuple[Learner, ...] = get_args(Learner)
TITLES = {
    "map": "forebear train",
    "paper": "forebear train --method paper",
    "lambdamart": "LambdaMART on clauses",
}
Score = Callable[[RescoredLists], Floats | Integers]


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """What was learned: how to score lists, and the model if there is one."""

    score: Score
    model: Model | None = None  # None: trees
    learned: bool = True  # False: the searches taught nothing, and `default` stays


def learn(
    learner: Learner,
    searches: Sequence[KnownSearch],
    judged: Sequence[JudgedSearch],
    *,
    seed: int,
) -> Learning:
    """Learn from searches and what users made of them."""
    if learner == "lambdamart":
        return Learning(score=_trees(searches, judged, seed))
    model = learn_model(judged, seed=seed, method=learner)
    used = model or default_model()
    return Learning(score=lambda lists: lists.scores(used), model=used, learned=model is not None)


def learn_model(
    judged: Sequence[JudgedSearch], *, seed: int, method: Literal["map", "paper"] = "map"
) -> Model | None:
    """Return what `forebear train` learns from these searches; None if it refuses to learn.

    The constants of the probabilities are left out: they change no order, and take longer.
    """
    try:
        useful = searches_to_learn_from(judged)
        learned = train.learn(useful, default_model(), seed=seed, method=method)
    except ModelError:
        return None
    return scored_model(default_model(), learned)


def _trees(searches: Sequence[KnownSearch], judged: Sequence[JudgedSearch], seed: int) -> Score:
    lists = RescoredLists(searches)
    attached = [one.attached for one in judged]
    right = lists.mark(attached)
    clauses, base = lists.clauses, default_model()
    trees = fit_clause_trees(lists.features(clauses, base), right, lists.offsets, seed=seed)
    return lambda others: trees.scores(others.features(clauses, base))
