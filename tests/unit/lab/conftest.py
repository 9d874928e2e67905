"""Lists for experiments: small, drawn by a seed, with something to be learned."""

from collections.abc import Callable

import numpy as np
import pytest

from forebear.learning.dataset import FusionDataset, RankingDataset

MakeLists = Callable[..., FusionDataset]


@pytest.fixture
def make_lists() -> MakeLists:
    """Lists on unlike scales: raw scores mislead, weights put it right."""

    def make(queries: int = 40, lists: int = 3, size: int = 12, seed: int = 1) -> FusionDataset:
        random = np.random.default_rng(seed)
        names = tuple(f"list{number}" for number in range(lists))
        scales = 4.0 ** np.arange(lists)
        made = []
        for query in range(queries):
            answers = {}
            right = random.integers(lists)
            for number, name in enumerate(names):
                scores = random.lognormal(0, 0.5, int(random.integers(1, size + 1)))
                labels = np.zeros(scores.size, np.int64)
                if number == right:
                    labels[0] = 1
                    scores[0] *= 4
                answers[name] = (scores * scales[number], labels)
            made.append((f"q{query}", answers))
        return FusionDataset.from_lists(names, made)

    return make


@pytest.fixture
def two_lists() -> FusionDataset:
    """One query: A scores 8, 4 (relevant), 2; B scores 3 (relevant), 1."""
    lists = {"A": ([8.0, 4.0, 2.0], [0, 1, 0]), "B": ([3.0, 1.0], [1, 0])}
    return FusionDataset.from_lists(("A", "B"), [("q", lists)])


@pytest.fixture
def clauses() -> RankingDataset:
    """Thirty queries of ten records with six binary features, the first two telling."""
    random = np.random.default_rng(3)
    queries = []
    for query in range(30):
        labels = np.zeros(10, np.int64)
        labels[random.integers(10)] = 1
        odds = np.array([0.75, 0.6, 0.3, 0.3, 0.3, 0.3])
        rows = random.random((10, 6)) < np.where(labels[:, None] > 0, odds, 0.3)
        queries.append((f"q{query}", rows, labels))
    return RankingDataset.from_queries([str(n) for n in range(1, 7)], queries)
