"""One simulated archive for all tests of a process: it is only read."""

import pytest

from forebear_lab.simulation.archives import SimulatedArchive, write_archive

PERSONAS, SEED, QUERIES = 4000, 3, 60


@pytest.fixture(scope="session")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> SimulatedArchive:
    folder = tmp_path_factory.mktemp("simulated") / "world"
    return write_archive(folder, personas=PERSONAS, seed=SEED, queries=QUERIES)
