"""Are simulated archives like real ones?  Agreement of linked pairs, and records per type.

    python -m benchmarks.quality.simulation --personas 300000 --seed 1

Prints how often linked pairs agree: soldiers with a census (real: Union Army), removal orders with
settlement examinations (real: London), beside pairs of a simulated archive and of
``make_records.py``; then the number of records per type of both generators.  The aims are
differences of at most 5 points and 20 percent; the exit status is 1 if one is missed.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.quality.simulation_pairs import (
    COMPARISONS,
    Pair,
    agreement_rates,
    london_pairs,
    made_soldiers,
    simulated_cases,
    simulated_soldiers,
    union_army_pairs,
)
from benchmarks.simulated_world import SHARED, make_world
from forebear_lab.evaluation.tables import Cell, Table
from forebear_lab.simulation.archives import SimulatedArchive, write_archive

POINTS = 0.05
PERCENT = 0.20


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--personas", type=int, default=300_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not (SHARED / "data" / "records").is_dir():
        print(f"skipped: no real records in {SHARED}; set FOREBEAR_SHARED", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        started = time.process_time()
        archive = write_archive(
            folder / "simulated", personas=options.personas, seed=options.seed, queries=0
        )
        seconds = time.process_time() - started
        print(f"{archive.personas:,} simulated personas in {seconds:.1f} s of processor time\n")
        other = make_world(folder / "made", personas=options.personas, seed=options.seed, queries=1)
        missed = _print_agreement(archive, other) + _print_counts(archive, other)
    print(f"\naims missed: {', '.join(missed) or 'none'}")
    return 1 if missed else 0


def _print_agreement(archive: SimulatedArchive, other: Path) -> list[str]:
    records = SHARED / "data" / "records"
    soldiers = (
        union_army_pairs(records), simulated_soldiers(archive.folder), made_soldiers(other),
    )  # fmt: skip
    missed = _print_rates("soldiers and census", soldiers)
    print()
    cases = london_pairs(records), simulated_cases(archive.folder), list[Pair]()
    return missed + _print_rates("orders and examinations", cases)


def _print_rates(title: str, groups: tuple[list[Pair], ...]) -> list[str]:
    """Print the rates of real pairs and of both generators; return the facts that differ."""
    real, simulated, generated = map(agreement_rates, groups)
    rows: list[tuple[Cell, ...]] = [("pairs", *(f"{len(group):,}" for group in groups), "")]
    missed = []
    for name in COMPARISONS:
        if name in real and name in simulated:
            difference = simulated[name] - real[name]
            missed += [f"{title}: {name}"] if abs(difference) > POINTS else []
            other = f"{generated[name]:.3f}" if name in generated else "-"
            rows.append(
                (name, f"{real[name]:.3f}", f"{simulated[name]:.3f}", other, f"{difference:+.3f}")
            )
    headings = (title, "real", "simulated", "make_records", "simulated - real")
    print(Table(headings=headings, rows=rows).as_text())
    return missed


def _print_counts(archive: SimulatedArchive, other: Path) -> list[str]:
    """Print records per type; return the types that differ."""
    manifest = json.loads((other / "manifest.json").read_text("utf-8"))
    expected: dict[str, int] = manifest["records_by_type"]
    rows: list[tuple[Cell, ...]] = []
    missed = []
    for record_type, count in archive.records_by_type.items():
        if record_type not in expected:
            rows.append((record_type, f"{count:,}", "-", ""))
            continue
        ratio = count / expected[record_type] - 1
        missed += [f"records: {record_type}"] if abs(ratio) > PERCENT else []
        rows.append((record_type, f"{count:,}", f"{expected[record_type]:,}", f"{ratio:+.1%}"))
    headings = ("records", "simulated", "make_records", "difference")
    print(f"\n{Table(headings=headings, rows=rows).as_text()}")
    return missed


if __name__ == "__main__":
    sys.exit(main())
