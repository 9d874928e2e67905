"""Where does an experiment's data come from?  Files, a generator, and the paper's tables.

The generator is `tools/make_ranking_data.py` in the shared folder beside the repository (or where
FOREBEAR_SHARED says).  Its data is labeled simulated wherever it is shown.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset, RankingDataset
from forebear.tables import read_table
from forebear_lab.learning.files import read_fusion_npz, read_fusion_runs, read_ranking, with_width

SHARED_VARIABLE = "FOREBEAR_SHARED"
TOOL = "make_ranking_data.py"
RUN_SUFFIXES = (".run", ".trec", ".run.gz", ".trec.gz")


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionData:
    """Lists to be fused, and how they are labeled."""

    dataset: FusionDataset
    label: str
    simulated: bool

    @property
    def digest(self) -> str:
        """Return a hash of the lists."""
        return digest_of(self.dataset.scores, self.dataset.labels, self.dataset.offsets)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsData:
    """Judged feature vectors to learn from and to test on."""

    name: str
    train: RankingDataset
    test: RankingDataset
    label: str
    simulated: bool

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
    folder: Path, *, queries: int, lists: int, seed: int, model_seed: int
) -> FusionData:
    """Generate lists."""
    options = {"queries": queries, "lists": lists, "seed": seed, "model-seed": model_seed}
    _generate("fusion", folder, options)
    label = f"simulated: {queries} queries, {lists} lists, seed {seed}, model seed {model_seed}"
    return FusionData(dataset=_whole(folder / "fusion.npz"), label=label, simulated=True)


def read_fusion_data(paths: Sequence[Path], qrels: Path | None) -> FusionData:
    """Read lists from a folder, an .npz of the generator's form, or TREC runs with judgments."""
    label = ", ".join(map(str, paths))
    if len(paths) == 1 and paths[0].is_dir():
        folder = paths[0]
        if (folder / "fusion.npz").is_file():
            paths = [folder / "fusion.npz"]
        else:
            paths = sorted(path for path in folder.iterdir() if path.name.endswith(RUN_SUFFIXES))
            qrels = qrels or folder / "qrels.txt"
    if len(paths) == 1 and paths[0].suffix == ".npz":
        label = f"{label} (arrays in the generator's form: taken for simulated)"
        return FusionData(dataset=_whole(paths[0]), label=label, simulated=True)
    if not paths or qrels is None:
        raise InputError(
            f"{label or 'nothing'} holds no lists to be fused",
            hint="give a folder of .run files with qrels.txt, or runs and --qrels, or an .npz",
        )
    return FusionData(dataset=read_fusion_runs(paths, qrels), label=label, simulated=False)


def simulate_records(folder: Path, *, shape: str, seed: int | None) -> RecordsData:
    """Generate feature vectors of one of the paper's shapes."""
    options: dict[str, object] = {"shape": shape} | ({"seed": seed} if seed is not None else {})
    _generate("records", folder, options)
    seed_label = "the shape's own seed" if seed is None else f"seed {seed}"
    data = read_records_data(
        shape, folder / f"{shape}_train.npz", folder / f"{shape}_test.npz", simulated=True
    )
    label = f"simulated: {shape} shape, {seed_label}"
    return RecordsData(name=shape, train=data.train, test=data.test, label=label, simulated=True)


def read_records_data(name: str, train: Path, test: Path, *, simulated: bool) -> RecordsData:
    """Read feature vectors from LETOR text or arrays."""
    learned = read_ranking(train)
    tested = with_width(read_ranking(test), learned.feature_names)
    label = f"{train} and {test}"
    return RecordsData(name=name, train=learned, test=tested, label=label, simulated=simulated)


def find_generator() -> Path:
    """Return where the generator is."""
    named = os.environ.get(SHARED_VARIABLE)
    root = Path(__file__).resolve().parents[3]
    folders = [Path(named)] if named else [Path("..") / "shared", root.parent / "shared"]
    for folder in folders:
        if (folder / "tools" / TOOL).is_file():
            return folder / "tools" / TOOL
    raise InputError(
        f"the generator tools/{TOOL} is not in {' or '.join(map(str, folders))}",
        hint=f"set {SHARED_VARIABLE} to the folder that holds tools/, or give --data",
    )


def _generate(kind: str, folder: Path, options: dict[str, object] | dict[str, int]) -> None:
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    command = [sys.executable, str(find_generator()), kind, *words, "--out", str(folder)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise InputError(f"the generator failed: {ran.stderr.strip()[-300:]}")


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
        row["method"]: {name: float(row[name]) for name in ("ndcg", "nce", "seconds") if row[name]}
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
