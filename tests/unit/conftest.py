"""Judged data with known answers, for the tests of learners."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike

from forebear.learning.calibrate import FactTable
from forebear.learning.dataset import FusionDataset, RankingDataset

HIDDEN = np.array([3.0, 2.0, 1.0, -2.0, 0.0, 0.5, -1.0, 0.0])
LISTS = {"baptism": 0.0, "burial": 4.0, "census": 1.0}  # how many bits each scores too high

MakesRanking = Callable[..., RankingDataset]
MakesFusion = Callable[..., FusionDataset]
MakesFacts = Callable[..., tuple[FusionDataset, FactTable]]


@pytest.fixture(scope="session")
def planted_features() -> MakesRanking:
    """Make records whose relevance depends on hidden weights, some of them negative."""

    def make(seed: int, *, queries: int = 60, binary: bool = True) -> RankingDataset:
        random = np.random.default_rng(seed)
        count = 20 * queries
        shape = (count, HIDDEN.size)
        features = random.random(shape) < 0.4 if binary else random.normal(size=shape)
        strength = (features @ HIDDEN + random.gumbel(size=count)).reshape(queries, 20)
        labels = strength >= np.sort(strength, axis=1)[:, -2:-1]
        return RankingDataset(
            features=features,
            labels=labels.ravel().astype(np.int64),
            offsets=np.arange(0, count + 1, 20),
            feature_names=tuple(f"f{number}" for number in range(HIDDEN.size)),
            query_ids=tuple(f"q{number}" for number in range(queries)),
        )

    return make


@pytest.fixture(scope="session")
def planted_lists() -> MakesFusion:
    """Make lists in bits of which some are scored too high."""

    def make(seed: int, *, queries: int = 150, slope: float = 1.0) -> FusionDataset:
        random = np.random.default_rng(seed)

        def one_list(name: str) -> tuple[ArrayLike, ArrayLike]:
            labels = (random.random(20) < 0.08).astype(np.int64)
            scores = 2.5 * labels + random.normal(size=20) + LISTS[name]
            return scores * (slope if name == "census" else 1.0), labels

        return FusionDataset.from_lists(
            list(LISTS),
            [(f"q{n}", {name: one_list(name) for name in LISTS}) for n in range(queries)],
        )

    return make


@pytest.fixture(scope="session")
def planted_lines() -> MakesFacts:
    """Make lists of slopes 1 and 2 and levels -4 and -6, and a fact worth 2 bits to list a."""

    def make(seed: int, queries: int = 400) -> tuple[FusionDataset, FactTable]:
        random = np.random.default_rng(seed)
        facts = random.random((queries, 1)) < 0.5
        rows = []
        for number in range(queries):
            lists = {}
            for name, slope, level in (("a", 1.0, -4.0), ("b", 2.0, -6.0)):
                scores = random.normal(0, 2, 40)
                bits = slope * scores + level + (2.0 if name == "a" and facts[number, 0] else 0.0)
                lists[name] = (scores, (random.random(40) < 1 / (1 + 2.0**-bits)).astype(int))
            rows.append((f"q{number}", lists))
        return FusionDataset.from_lists("ab", rows), FactTable(names=("spouse",), values=facts)

    return make
