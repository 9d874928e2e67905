"""A simulated world of ``make_records.py``: generated before anything is timed, and imported."""

import os
import subprocess
import sys
from pathlib import Path

from forebear.archive import Archive
from forebear.ingest.find_mapping import builtin_mappings

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("FOREBEAR_SHARED", ROOT.parent / "shared"))
PREFIX = "made_"  # of the mappings that read its tables
TABLES = tuple(name.removeprefix(PREFIX) for name in builtin_mappings() if name.startswith(PREFIX))


def make_world(folder: Path, *, personas: int, seed: int, queries: int) -> Path:
    """Generate a world in a folder."""
    words = ["--personas", personas, "--seed", seed, "--queries", queries, "--out", folder]
    script = SHARED / "tools" / "make_records.py"
    subprocess.run(
        [sys.executable, script, *map(str, words)], check=True, stdout=sys.stderr, stderr=sys.stderr
    )
    return folder


def import_world(archive: Archive, world: Path) -> int:
    """Import every table, each as the collection of its name; return the number of personas."""
    personas = 0
    for table in TABLES:
        report = archive.import_file(world / f"{table}.csv", mapping=PREFIX + table)
        print(f"{table}: {report.accepted:,} records", file=sys.stderr, flush=True)
        personas += report.personas
    return personas
