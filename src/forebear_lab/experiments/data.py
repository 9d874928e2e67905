"""Where does an experiment's data come from?  Files, a simulation, and the paper's tables.

Simulated data (`forebear_lab.simulation`) is labeled simulated wherever it is shown.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset, RankingDataset
from forebear.tables import read_table
from forebear_lab.learning.files import read_fusion_npz, read_fusion_runs, read_ranking, with_width
from forebear_lab.simulation.rankings import (
    Progress,
    find_shape,
    simulate_fusion_rankings,
    simulate_record_rankings,
)

PAPER_QUERIES = 30_000  # of its fusion, about
RUN_SUFFIXES = (".run", ".trec", ".run.gz", ".trec.gz")


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionData:
    """Lists to be fused, and how they are labeled."""

    dataset: FusionDataset
    label: str
    simulated: bool
    groups: tuple[str, ...] = ()  # of the queries: a group is never divided; none: each by itself
    record_types: tuple[str, ...] = ()  # of the lists, which else are types themselves
    engine_scores: Floats | None = None  # of the records, as the engine's own model fuses them
    archive: str = ""  # whose searches these are, in words
    learned_types: bool = False  # are the scores of weights learned for each type?

    @property
    def digest(self) -> str:
        """Return a hash of the lists and of what else decides how they are measured."""
        lists = self.dataset
        unfound = np.array([query for query in lists.unfound for _ in lists.unfound[query]])
        names = np.array(self.groups), np.array(self.record_types)
        return digest_of(lists.scores, lists.labels, lists.offsets, unfound, *names)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsData:
    """Judged feature vectors to learn from and to test on."""

    name: str
    train: RankingDataset
    test: RankingDataset
    label: str
    simulated: bool
    archive: str = ""  # whose searches these are, in words

    @property
    def digest(self) -> str:
        """Return a hash of the vectors."""
        parts = [(one.features, one.labels, one.offsets) for one in (self.train, self.test)]
        return digest_of(*(array for part in parts for array in part))


def digest_of(*arrays: NDArray[np.generic]) -> str:
    """Return a short hash of arrays."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


def simulate_fusion(
    *,
    queries: int,
    lists: int,
    seed: int,
    model_seed: int,
    progress: Progress = lambda _: None,
) -> FusionData:
    """Simulate lists to be fused."""
    dataset = simulate_fusion_rankings(
        queries=queries, lists=lists, seed=seed, model_seed=model_seed, progress=progress
    )
    label = f"simulated: {queries} queries, {lists} lists, seed {seed}, model seed {model_seed}"
    return FusionData(dataset=dataset, label=label, simulated=True)


def read_fusion_data(paths: Sequence[Path], qrels: Path | None) -> FusionData:
    """Read lists from a folder, arrays in an .npz, or TREC runs with judgments."""
    label = ", ".join(map(str, paths))
    if len(paths) == 1 and paths[0].is_dir():
        folder = paths[0]
        if (folder / "fusion.npz").is_file():
            paths = [folder / "fusion.npz"]
        else:
            paths = sorted(path for path in folder.iterdir() if path.name.endswith(RUN_SUFFIXES))
            qrels = qrels or folder / "qrels.txt"
    if len(paths) == 1 and paths[0].suffix == ".npz":
        label = f"{label} (arrays: taken for simulated)"
        return FusionData(dataset=_whole(paths[0]), label=label, simulated=True)
    if not paths or qrels is None:
        raise InputError(
            f"{label or 'nothing'} holds no lists to be fused",
            hint="give a folder of .run files with qrels.txt, or runs and --qrels, or an .npz",
        )
    return FusionData(dataset=read_fusion_runs(paths, qrels), label=label, simulated=False)


def simulate_records(*, shape: str, seed: int, model_seed: int) -> RecordsData:
    """Simulate feature vectors of one of the paper's shapes."""
    train, test = simulate_record_rankings(find_shape(shape), seed=seed, model_seed=model_seed)
    label = f"simulated: {shape} shape, seed {seed}, model seed {model_seed}"
    return RecordsData(name=shape, train=train, test=test, label=label, simulated=True)


def read_records_data(name: str, train: Path, test: Path, *, simulated: bool) -> RecordsData:
    """Read feature vectors from LETOR text or arrays."""
    learned = read_ranking(train)
    tested = with_width(read_ranking(test), learned.feature_names)
    label = f"{train} and {test}"
    return RecordsData(name=name, train=learned, test=tested, label=label, simulated=simulated)


def _whole(path: Path) -> FusionDataset:
    """Return the training and the test queries of a file as one dataset."""
    first, second = read_fusion_npz(path)
    return FusionDataset(
        scores=np.concatenate((first.scores, second.scores)).astype(np.float64),
        labels=np.concatenate((first.labels, second.labels)),
        offsets=np.concatenate((first.offsets, second.offsets[1:] + first.offsets[-1])),
        list_names=first.list_names,
        query_ids=(*first.query_ids, *second.query_ids),
    )


def experiment_table(name: str) -> list[dict[str, str]]:
    """Return the rows of one of the tables of experiments."""
    return read_table(f"experiments/{name}", package="forebear_lab")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The paper says that one method is better than another by a measure."""

    measure: str  # "ndcg" or "nce"
    better: str
    worse: str
    claim: str


def paper_claims() -> Iterator[Claim]:
    """Yield the orderings that the paper claims of fusion."""
    for row in experiment_table("paper_claims"):
        yield Claim(**row)


def printed_fusion() -> dict[str, dict[str, float]]:
    """Return the paper's figures of fusion, by method and measure."""
    return {
        row["method"]: {
            name: float(value) for name, value in row.items() if name != "method" and value
        }
        for row in experiment_table("paper_fusion")
    }


def printed_records() -> dict[tuple[str, str], dict[str, float]]:
    """Return the paper's figures of coordinate ascent, by shape and method."""
    return {
        (row["shape"], row["method"]): {
            "ndcg": float(row["ndcg"]),
            "seconds": float(row["seconds"]),
        }
        for row in experiment_table("paper_records")
    }
