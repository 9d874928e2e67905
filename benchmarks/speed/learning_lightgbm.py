"""LightGBM's lambdarank on lists to be fused, in a separate process.

    python -m benchmarks.speed.learning_lightgbm FUSION.npz

One score column a list, 50 trees, truncation at the measure's cutoff; everything else as it
comes.  Writes NDCG@100 on the training and the test queries and the CPU seconds of training
(building its dataset included) as JSON.
"""

import json
import sys
import time
from pathlib import Path

import lightgbm
import numpy as np

from forebear.learning.dataset import FusionDataset
from forebear.learning.measures import ndcg_of_arrays
from forebear.learning.rank_svm import score_columns
from forebear_lab.learning.files import read_fusion_npz

SETTINGS = {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 100,
    "label_gain": [0, 1],
    "num_threads": 1,
    "seed": 1,
    "verbose": -1,
}
TREES = 50


def main(path: Path) -> None:
    train, test = read_fusion_npz(path)
    columns = score_columns(train).astype(np.float32)
    bounds = train.offsets[:: len(train.list_names)]
    start = time.process_time()
    dataset = lightgbm.Dataset(columns, train.labels, group=np.diff(bounds))
    model = lightgbm.train(SETTINGS, dataset, num_boost_round=TREES)
    seconds = time.process_time() - start
    values = {"train": value(model, train), "test": value(model, test)}
    print(json.dumps({"seconds": seconds, **values}))


def value(model: lightgbm.Booster, dataset: FusionDataset) -> float:
    columns = score_columns(dataset).astype(np.float32)
    scores = model.predict(columns, num_threads=1)
    bounds = np.ascontiguousarray(dataset.offsets[:: len(dataset.list_names)])
    return float(ndcg_of_arrays(scores, dataset.labels, bounds, cutoff=100).mean())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
