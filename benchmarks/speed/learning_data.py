"""Data of the paper's shapes for us and for every peer, from the project's generator.

The generator is next to the repository, in the folder that FOREBEAR_SHARED names.  The first
data set has the generator's own seeds, the others seeds of ours; none was tuned on.
"""

import os
import subprocess
import sys
from pathlib import Path

SHAPES = ("marriage", "residence")
LISTS = (8, 14, 20)
QUERIES = 30_000
SEEDS: tuple[int | None, ...] = (None, 21, 22)  # of the model and of the draws alike


def generator() -> Path:
    next_to = Path(__file__).resolve().parents[2].parent / "shared"
    path = Path(os.environ.get("FOREBEAR_SHARED", next_to)) / "tools" / "make_ranking_data.py"
    if not path.is_file():
        sys.exit(f"there is no generator {path}; set FOREBEAR_SHARED to the folder of tools")
    return path


def make_records(shape: str, seed: int | None, folder: Path) -> tuple[Path, Path]:
    """Return the files of training and test queries."""
    _generate("records", "--shape", shape, "--out", folder, seed=seed)
    return folder / f"{shape}_train.npz", folder / f"{shape}_test.npz"


def make_fusion(lists: int, seed: int | None, folder: Path, *, queries: int = QUERIES) -> Path:
    """Return the file of lists to be fused."""
    _generate("fusion", "--lists", lists, "--queries", queries, "--out", folder, seed=seed)
    return folder / "fusion.npz"


def _generate(*words: object, seed: int | None) -> None:
    seeds = [] if seed is None else ["--seed", str(seed), "--model-seed", str(seed)]
    line = [sys.executable, str(generator()), *map(str, words), *seeds]
    subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
