"""Does annealing help the simplex?  NDCG-Annealing against stochastic search.

    python -m benchmarks.quality.annealing

Both start from the same rank SVM and have the same number of evaluations, as many as stochastic
search with the paper's settings takes before it stagnates; five seeds, training NDCG@100.  The
last column gives annealing five times as many.
"""

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.speed.learning_data import LISTS, make_fusion
from forebear.learning.dataset import FusionDataset
from forebear.learning.stochastic_search import StochasticSearch
from forebear_lab.evaluation.tables import Cell, Table
from forebear_lab.learning.files import read_fusion_npz
from forebear_lab.learning.simplexes import AnnealedSimplex

SEEDS = range(1, 6)
LONGER = 5


def compare(lists: FusionDataset, seed: int) -> tuple[int, float, float, float]:
    """Return the evaluations, and the value of both and of a longer annealing."""
    plain = StochasticSearch(seed=seed, scale="weights")
    _, history = plain.fit(lists)
    evaluations = history.last.evaluations - 2  # the two starts apart
    values = []
    for budget in (evaluations, LONGER * evaluations):
        simplex = AnnealedSimplex(seed=seed, max_evaluations=budget)
        values.append(replace(plain, simplex=simplex).fit(lists)[1].last.train)
    return evaluations, history.last.train, values[0], values[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--queries", type=int, default=3000)
    options = parser.parse_args()
    rows: list[tuple[Cell, ...]] = []
    for count in LISTS:
        with tempfile.TemporaryDirectory() as folder:
            path = make_fusion(count, None, Path(folder), queries=options.queries)
            train, _ = read_fusion_npz(path)
        values = [compare(train, seed) for seed in SEEDS]
        rows += [(count, str(seed), *one) for seed, one in zip(SEEDS, values, strict=True)]
        rows.append((count, "mean", *np.mean(values, axis=0).tolist()))
    headings = ("lists", "seed", "evaluations", "ss", "annealing", f"annealing x{LONGER}")
    print(Table(headings=headings, rows=rows).as_text())


if __name__ == "__main__":
    main()
