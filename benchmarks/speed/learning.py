"""How fast do we learn, and how well?  Against FastRank and LightGBM, on the same data.

    python -m benchmarks.speed.learning --seeds 1 --peers-python PEERS/bin/python

All times are CPU seconds of one
thread, after compilation; NDCG@100 is expected over ties.  A data set takes FastRank about
five minutes a shape and LightGBM as long a number of lists, so `--seeds 1` is the default;
`README.md` says how to make the environment of the peers.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from benchmarks.speed.learning_data import LISTS, SEEDS, SHAPES, make_fusion, make_records
from forebear.learning.coordinate_ascent import CoordinateAscent, mean_ndcg
from forebear.learning.dataset import FusionDataset, RankingDataset
from forebear.learning.starts import STARTS
from forebear.learning.stochastic_search import FusedScores
from forebear_lab.evaluation.tables import Cell, Table
from forebear_lab.learning.ascent import ExactAscent
from forebear_lab.learning.files import read_fusion_npz, read_ranking
from forebear_lab.learning.learn import FusionLearner

HERE = Path(__file__).parent
ONE_THREAD = dict.fromkeys(
    ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"), "1"
)
FASTRANK_STARTS = ("random", "equal")
FASTRANK_BAR, LIGHTGBM_BAR, OBJECTIVE_BAR, CLOSE = 500, 100, 30, 0.002

Result = TypeVar("Found")


def measure_shape(
    shape: str, seed: int | None, peers: Path | None, starts: list[str], folder: Path
) -> list[str]:
    """Measure exact coordinate ascent against FastRank, and the table of starts."""
    train_file, test_file = make_records(shape, seed, folder)
    train, test = read_ranking(train_file), read_ranking(test_file)
    lines = [f"{shape}, data seed {seed or 'default'}"]
    rows, speed_up = start_rows(train, test)
    headings = ("method", "start", "evaluations", "seconds", "train", "test")
    lines += [Table(headings=headings, rows=rows).as_text(), speed_up]
    if peers is None:
        return lines
    peers_results = run_json(
        [str(peers), str(HERE / "learning_fastrank.py"), str(train_file), *starts]
    )
    for start, peer in peers_results.items():
        peer["train"], peer["test"] = (
            mean_ndcg(part, np.array(peer["weights"])) for part in (train, test)
        )
        lines.append(
            f"FastRank, one restart from {start} weights: {peer['seconds']:.0f} s, "
            f"train {peer['train']:.4f}, test {peer['test']:.4f}"
        )
    seconds, (ours, _) = timed(lambda: ExactAscent(seed=1).fit(train))
    value = mean_ndcg(test, ours.values)
    theirs = max(peer["test"] for peer in peers_results.values())
    ratio = min(peer["seconds"] for peer in peers_results.values()) / seconds
    lines += [
        f"ours: {seconds:.2f} s, test {value:.4f}",
        bar(f"test NDCG minus that of the better FastRank: {value - theirs:+.4f}", value >= theirs),
        bar(f"{ratio:.0f} times as fast as its quicker one", ratio >= FASTRANK_BAR),
    ]
    return lines


def start_rows(train: RankingDataset, test: RankingDataset) -> tuple[list[tuple[Cell, ...]], str]:
    """Return a row for each method and start, and the speed-up of the customized start."""
    rows: list[tuple[Cell, ...]] = []
    costs = {}
    for method, learner in (("ranklib", CoordinateAscent), ("exact", ExactAscent)):
        for start in STARTS:
            learner(seed=1, start=start, max_passes=1).fit(train.take([0, 1]))  # compiles
            seconds, (weights, history) = timed(
                lambda learner=learner, start=start: learner(seed=1, start=start).fit(train)
            )
            evaluations = history.last.evaluations
            values = mean_ndcg(train, weights.values), mean_ndcg(test, weights.values)
            rows.append((method, start, evaluations, round(seconds, 3), *values))
            costs[method, start] = (evaluations, seconds)
    before, after = costs["ranklib", "uniform"], costs["ranklib", "customized"]
    summary = (
        "the paper's tenfold speed-up by the customized start: "
        f"{before[0] / after[0]:.2f} times fewer evaluations, "
        f"{before[1] / after[1]:.2f} times faster"
    )
    return rows, summary


def measure_lists(lists: int, seed: int | None, folder: Path) -> list[str]:
    """Measure exact and stochastic search against LightGBM, and the objective against sorting."""
    path = make_fusion(lists, seed, folder)
    train, test = read_fusion_npz(path)
    lines = [f"{lists} lists, data seed {seed or 'default'}"]
    rows: list[tuple[Cell, ...]] = [("raw", 1, 0.0, *raw_values(train, test))]
    results = {}
    for method in ("ss", "exact", "calibrated"):
        learner = FusionLearner(method=method)
        learner.fit(train.take(range(20)))  # compiles
        seconds, (model, history) = timed(lambda learner=learner: learner.fit(train))
        results[method] = (seconds, model.value(test))
        row = (
            history.last.evaluations,
            round(seconds, 2),
            model.notes["train"],
            results[method][1],
        )
        rows.append((method, *row))
    peer = run_json([sys.executable, "-m", "benchmarks.speed.learning_lightgbm", str(path)])
    rows.append(("LightGBM", 0, round(peer["seconds"], 1), peer["train"], peer["test"]))
    headings = ("method", "evaluations", "seconds", "train", "test")
    lines.append(Table(headings=headings, rows=rows).as_text())
    behind = peer["test"] - results["exact"][1]
    lines.append(bar(f"exact search: {-behind:+.4f} test NDCG against LightGBM", behind <= CLOSE))
    for method in ("exact", "ss"):
        ratio = peer["seconds"] / results[method][0]
        lines.append(bar(f"{method}: {ratio:.0f} times as fast", ratio >= LIGHTGBM_BAR))
    ratio, ours = objective_ratio(train)
    lines.append(
        bar(
            f"objective {ratio:.0f} times as fast as sorting ({ours * 1000:.0f} ms)",
            ratio >= OBJECTIVE_BAR,
        )
    )
    return lines


def raw_values(train: FusionDataset, test: FusionDataset) -> tuple[float, float]:
    ones = np.ones(len(train.list_names))
    return FusedScores(train).weighted_value(ones), FusedScores(test).weighted_value(ones)


def objective_ratio(dataset: FusionDataset) -> tuple[float, float]:
    """Return how many times faster the objective is than sorting each query, and its seconds."""
    weights = np.random.default_rng(1).uniform(0.5, 2.0, len(dataset.list_names))
    scores = FusedScores(dataset)
    ours, value = min(timed(lambda: scores.weighted_value(weights)) for _ in range(5))
    theirs, sorted_value = timed(lambda: sorted_ndcg(dataset, weights))
    assert abs(value - sorted_value) < 1e-3  # ties apart
    return theirs / ours, ours


def sorted_ndcg(dataset: FusionDataset, weights: np.ndarray[Any, Any]) -> float:
    """Return mean NDCG@100 the plain way: fuse, argsort each query, count the first 100."""
    fused = dataset.scores * weights[dataset.lists_of_records()]
    discounts = 1 / np.log2(np.arange(2, 102))
    total = 0.0
    bounds = dataset.offsets[:: len(dataset.list_names)].tolist()
    for first, last in pairwise(bounds):
        labels = dataset.labels[first:last]
        gains = labels[np.argsort(-fused[first:last])[:100]]
        relevant = min(int(labels.sum()), 100)
        if relevant:
            total += (gains * discounts[: gains.size]).sum() / discounts[:relevant].sum()
    return total / (len(bounds) - 1)


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Return the CPU seconds of a call and its result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def run_json(line: list[str]) -> dict[str, Any]:
    done = subprocess.run(
        line, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, **ONE_THREAD}
    )
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def bar(text: str, met: bool) -> str:
    return f"  {'met   ' if met else 'MISSED'}  {text}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--peers-python", type=Path, help="a Python that has FastRank")
    parser.add_argument("--seeds", type=int, default=1, help="how many data sets, at most 3")
    parser.add_argument("--first", type=int, default=1, help="the data set to begin with")
    parser.add_argument("--shapes", nargs="*", choices=SHAPES, default=SHAPES)
    parser.add_argument("--lists", nargs="*", type=int, choices=LISTS, default=LISTS)
    parser.add_argument("--starts", nargs="+", choices=FASTRANK_STARTS, default=FASTRANK_STARTS)
    options = parser.parse_args()
    missed = False
    for seed in SEEDS[options.first - 1 :][: options.seeds]:
        works: list[Callable[[Path], list[str]]] = [
            partial(measure_shape, shape, seed, options.peers_python, options.starts)
            for shape in options.shapes
        ]
        works += [partial(measure_lists, lists, seed) for lists in options.lists]
        for work in works:
            with tempfile.TemporaryDirectory() as folder:
                lines = work(Path(folder))
            print("\n".join(lines), end="\n\n", flush=True)
            missed |= any("MISSED" in line for line in lines)
    return 1 if missed else 0


if __name__ == "__main__":
    if any(os.environ.get(name) != value for name, value in ONE_THREAD.items()):
        # The libraries read these once, when they are loaded: begin again.
        line = [sys.executable, "-m", "benchmarks.speed.learning", *sys.argv[1:]]
        os.execve(sys.executable, line, {**os.environ, **ONE_THREAD})
    sys.exit(main())
