"""Data for experiments: small lists with something to be learned, and a simulated archive."""

from collections.abc import Callable
from pathlib import Path
from shutil import copy

import numpy as np
import pytest

import forebear
from forebear.learning.dataset import FusionDataset, RankingDataset
from forebear_lab.experiments.worlds import World, import_world
from small_world import write_small_world

MakeLists = Callable[..., FusionDataset]


@pytest.fixture
def make_lists() -> MakeLists:
    """Lists on unlike scales: raw scores mislead, weights put it right."""

    def make(queries: int = 40, lists: int = 3, size: int = 12, seed: int = 1) -> FusionDataset:
        random = np.random.default_rng(seed)
        names = tuple(f"list{number}" for number in range(lists))
        scales = 4.0 ** np.arange(lists)
        answered = []
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
            answered.append((f"q{query}", answers))
        return FusionDataset.from_lists(names, answered)

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


@pytest.fixture(scope="session")
def world_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated archive in miniature."""
    folder = tmp_path_factory.mktemp("world")
    write_small_world(folder)
    return folder


@pytest.fixture(scope="session")
def world(world_folder: Path) -> World:
    return World(folder=world_folder)


@pytest.fixture(scope="session")
def imported(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The world as an archive that nobody searched."""
    archive = import_world(world, tmp_path_factory.mktemp("imported"), progress=lambda _: None)
    with archive:
        return archive.path


@pytest.fixture(scope="session")
def searched(world: World, imported: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive whose owner searched for everybody and attached what is right."""
    path = tmp_path_factory.mktemp("searched") / "log.forebear"
    copy(imported, path)
    right = world.right_records()
    with forebear.open(path) as archive:
        for query in world.queries(100):
            result = archive.search(query, search_id=query.id)
            listed = {hit.record for hit in result}
            for record in sorted(right.get(query.id, frozenset()) & listed):
                archive.attach(query.id, record)
        archive.reject("q0", "birth:B6")
    return path
