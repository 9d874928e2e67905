"""How fast are measures, and are they right?  NDCG and NCE against peers, on the same data.

    python -m benchmarks.speed.evaluation --peers-python PEERS/bin/python

Items 3 and 4 of what measures and learners must show.  All times are CPU seconds of one
thread, after compilation; a program's are those of its whole process.  `README.md` says how
to make the environment of the peers; without it only our own figures are shown.
"""

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.speed.evaluation_data import TYPE_COUNT, RankingData, make_data, write_files
from benchmarks.speed.evaluation_values import check_values
from forebear.learning.measures import nce_of_arrays, ndcg_of_arrays
from forebear_lab.evaluation.tables import Table

PEERS = Path(__file__).with_name("evaluation_peers.py")
ONE_THREAD = dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
REPEATS = 7
NDCG_BAR, NCE_BAR, FILES_BAR = 50, 20, 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure compared with a peer's."""

    seed: int
    what: str
    ours: float
    peer: str
    theirs: float
    bar: float  # how many times as fast we have to be
    difference: float  # of the values

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours

    @property
    def met(self) -> bool:
        return self.ratio >= self.bar and self.difference < 1e-9


def measure_arrays(data: RankingData, seed: int, peers: dict[str, dict[str, float]]) -> list[Row]:
    """NDCG@100 from unsorted arrays against the fastest peer with its structures built."""

    def work() -> float:
        return float(ndcg_of_arrays(data.scores, data.grades, data.offsets, cutoff=100).mean())

    seconds, value = timed(work)
    return [
        Row(
            seed=seed,
            what="NDCG@100, arrays",
            ours=seconds,
            peer=name,
            theirs=peer["seconds"],
            bar=NDCG_BAR,
            difference=abs(peer["value"] - value),
        )
        for name, peer in peers.items()
    ]


def measure_nce(data: RankingData, seed: int) -> Row:
    """NCE@100 against a plain loop, both from types in ranked order."""
    types = data.ranked_types()
    seconds, value = timed(
        lambda: float(nce_of_arrays(types, data.offsets, type_count=TYPE_COUNT, cutoff=100).mean())
    )
    start = time.process_time()
    plain = plain_nce(types.reshape(-1, 100).tolist(), TYPE_COUNT)
    return Row(
        seed=seed,
        what="NCE@100, arrays",
        ours=seconds,
        peer="plain loop",
        theirs=time.process_time() - start,
        bar=NCE_BAR,
        difference=abs(plain - value),
    )


def plain_nce(lists: list[list[int]], type_count: int) -> float:
    """Return the mean NCE as one writes it without a library, one step a position."""
    logs = [0.0, 0.0] + [n * math.log2(n) for n in range(2, 101)]
    ideal = cumulative_entropy([n % type_count for n in range(100)], type_count, logs)
    values = [cumulative_entropy(types, type_count, logs) / ideal for types in lists]
    return math.fsum(values) / len(values)


def cumulative_entropy(types: list[int], type_count: int, logs: list[float]) -> float:
    counts, summed, total = [0] * type_count, 0.0, 0.0
    for length, name in enumerate(types, start=1):
        count = counts[name]
        counts[name] = count + 1
        summed += logs[count + 1] - logs[count]
        total += (logs[length] - summed) / length
    return total


def measure_files(folder: Path, seed: int, peers_python: Path) -> list[Row]:
    """`forebear evaluate` from files against the programs of the peers, whole processes."""
    forebear = Path(sys.executable).with_name("forebear")
    run, qrels = str(folder / "a.run"), str(folder / "qrels.txt")
    line = [str(forebear), "evaluate", run, qrels, "-m", "ndcg@100", "--json"]
    run_program(line)  # compiles, and warms the disk
    seconds, answer = run_program(line)
    value = json.loads(answer)["mean"]["ndcg@100"]
    their_line = [str(peers_python), "-m", "ir_measures", qrels, run, "nDCG@100", "-p", "15"]
    ir_seconds, ir_answer = run_program(their_line)
    _, ranx_answer = run_program([str(peers_python), str(PEERS), "ranx", str(folder)])
    ranx = json.loads(ranx_answer)  # tells its own seconds, less those of compilation
    commands = {
        "ir_measures": (ir_seconds, float(ir_answer.split()[1])),
        "ranx": (ranx["seconds"], ranx["value"]),
    }
    return [
        Row(
            seed=seed,
            what="NDCG@100, files",
            ours=seconds,
            peer=name,
            theirs=theirs,
            bar=FILES_BAR,
            difference=abs(their_value - value),
        )
        for name, (theirs, their_value) in commands.items()
    ]


def timed(work: Callable[[], float]) -> tuple[float, float]:
    """Return the least CPU seconds of some repetitions, after one that does not count."""
    value = work()
    seconds = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds), value


def run_program(line: list[str]) -> tuple[float, str]:
    """Return the CPU seconds of a program, and what it wrote."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        line, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, **ONE_THREAD}
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return seconds, done.stdout


def measure_seed(seed: int, queries: int, peers_python: Path | None) -> list[Row]:
    data = make_data(queries, seed)
    rows = [measure_nce(data, seed)]
    if peers_python is None:
        return rows
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(data, folder)
        _, answer = run_program([str(peers_python), str(PEERS), "speed", str(folder)])
        rows += measure_arrays(data, seed, json.loads(answer))
        rows += measure_files(folder, seed, peers_python)
    return rows


def as_table(rows: list[Row]) -> Table:
    return Table(
        headings=("seed", "what", "ours ms", "peer", "its ms", "times", "bar", "apart", "met"),
        rows=[
            (
                *(row.seed, row.what, f"{row.ours * 1000:.1f}", row.peer),
                *(
                    f"{row.theirs * 1000:.0f}",
                    f"{row.ratio:.1f}",
                    f"{row.bar:g}",
                ),
                *(f"{row.difference:.0e}", "yes" if row.met else "NO"),
            )
            for row in rows
        ],
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--peers-python", type=Path, help="a Python that has the peers")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--queries", type=int, default=30_000)
    options = parser.parse_args()
    rows = []
    for seed in range(1, options.seeds + 1):
        print(f"seed {seed} ...", file=sys.stderr)
        rows += measure_seed(seed, options.queries, options.peers_python)
    print(as_table(rows).as_text(), end="\n\n")
    checks = check_values(options.peers_python, seeds=options.seeds)
    print(checks.as_text())
    wrong = any(row[-1] == "NO" for row in checks.rows)
    return 0 if all(row.met for row in rows) and not wrong else 1


if __name__ == "__main__":
    np.seterr(all="raise")
    sys.exit(main())
