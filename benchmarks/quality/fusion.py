"""What is each way of fusing worth?  Shifts, slopes, calibration, conditions, diversity.

    python -m benchmarks.quality.fusion

NDCG@100 on the training and test queries of simulated lists.  In the second table four facts
of each query move two lists each, by construction: it shows that conditions are found and what
they cost, not how large such effects are among people.  The third is the Pareto front of NDCG
and NCE that a decay gives, and what weights alone give that are learned for both.
"""

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.speed.learning_data import make_fusion
from forebear.learning.calibrate import FactTable
from forebear.learning.dataset import FusionDataset
from forebear.learning.stochastic_search import FusedScores
from forebear_lab.evaluation.tables import Cell, Table
from forebear_lab.learning.diversity import (
    FusedLists,
    JointSearch,
    hypervolume,
    pareto_front,
    sweep_decays,
)
from forebear_lab.learning.files import read_fusion_npz
from forebear_lab.learning.learn import FusionLearner

LEARNERS = {
    "stochastic search": FusionLearner(method="ss"),
    "exact, shifts only": FusionLearner(slopes=False),
    "exact, with slopes": FusionLearner(),
    "calibrated, logistic": FusionLearner(method="calibrated"),
    "calibrated, isotonic": FusionLearner(method="calibrated", calibration="isotonic"),
}
DECAYS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)  # bits
WEIGHTS_OF_NCE = (0.1, 0.3, 1.0)


def measure_learners(train: FusionDataset, test: FusionDataset) -> Table:
    ones = np.ones(len(train.list_names))
    raw = (FusedScores(train).weighted_value(ones), FusedScores(test).weighted_value(ones))
    rows: list[tuple[Cell, ...]] = [("raw scores", *raw, 0.0)]
    for name, learner in LEARNERS.items():
        start = time.process_time()
        model, _ = learner.fit(train)
        seconds = time.process_time() - start
        rows.append((name, model.notes["train"], model.value(test), round(seconds, 2)))
    return Table(headings=("method", "train", "test", "seconds"), rows=rows)


def plant_facts(lists: FusionDataset, seed: int) -> tuple[FusionDataset, FactTable]:
    """Give each query facts, each of which moves two lists up or down by about a bit."""
    random = np.random.default_rng(seed)
    queries, count = len(lists.query_ids), len(lists.list_names)
    values = random.random((queries, 4)) < 0.5
    effects = np.zeros((4, count))
    chosen = np.random.default_rng(1)  # the same for training and test
    for fact in range(4):
        effects[fact, chosen.permutation(count)[:2]] = chosen.choice([-0.8, 0.8], size=2)
    cells = np.repeat(np.arange(queries * count), np.diff(lists.offsets))
    moved = (values.astype(float) @ effects).ravel()[cells]
    facts = FactTable(names=("f1", "f2", "f3", "f4"), values=values)
    return replace(lists, scores=lists.scores * np.exp2(moved)), facts


def measure_conditions(train: FusionDataset, test: FusionDataset) -> Table:
    (train, facts), (test, test_facts) = plant_facts(train, 1), plant_facts(test, 2)
    rows: list[tuple[Cell, ...]] = []
    for name in ("exact, with slopes", "calibrated, logistic"):
        for given_facts, label in ((None, "without facts"), (facts, "with facts")):
            start = time.process_time()
            model, _ = LEARNERS[name].fit(train, given_facts)
            seconds = time.process_time() - start
            value = model.value(test, test_facts if given_facts else None)
            rows.append((f"{name}, {label}", model.notes["train"], value, round(seconds, 2)))
    return Table(headings=("method", "train", "test", "seconds"), rows=rows)


def measure_diversity(train: FusionDataset, test: FusionDataset) -> str:
    model, _ = LEARNERS["exact, with slopes"].fit(train)
    ready, shifts = FusedLists(model.prepare(test)), model.rows(test)
    front = pareto_front(sweep_decays(ready, shifts, DECAYS))
    rows: list[tuple[Cell, ...]] = [(f"decay {one.decay:g}", one.ndcg, one.nce) for one in front]
    for weight in WEIGHTS_OF_NCE:
        search = JointSearch(weight=weight)
        weights, _ = search.fit(model.prepare(train), start=model.rows(train)[0])
        one = ready.trade_off(weights.array(test.list_names))
        rows.append((f"weights for NDCG + {weight:g} NCE", one.ndcg, one.nce))
    table = Table(headings=("fused with", "NDCG@100", "NCE@100"), rows=rows).as_text()
    return f"{table}\nthe front of decays dominates an area of {hypervolume(front):.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--queries", type=int, default=6000)
    parser.add_argument("--lists", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = make_fusion(options.lists, None, Path(folder), queries=options.queries)
        train, test = read_fusion_npz(path)
    print(measure_learners(train, test).as_text(), end="\n\n", flush=True)
    print(measure_conditions(train, test).as_text(), end="\n\n", flush=True)
    print(measure_diversity(train, test))


if __name__ == "__main__":
    main()
