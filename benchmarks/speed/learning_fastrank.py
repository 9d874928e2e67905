"""FastRank's coordinate ascent, one restart: runs in the environment of the peers.

    python learning_fastrank.py TRAIN.npz random equal

Starts from random weights, as FastRank does unless told, or from equal ones; either may end
badly.  Writes weights and CPU seconds of each as JSON.  It imports nothing of ours.
"""

import json
import sys
import time

import numpy as np
from fastrank import CDataset, TrainRequest


def main(path: str, *starts: str) -> None:
    with np.load(path) as data:
        features, labels, queries = data["X"], data["y"], data["q"]
    dataset = CDataset.from_numpy(
        features.astype(np.float32), labels.astype(np.float64), queries.astype(np.int64)
    )
    print(json.dumps({start: train(dataset, start) for start in starts}))


def train(dataset: CDataset, start: str) -> dict[str, object]:
    request = TrainRequest.coordinate_ascent()
    request.measure = "ndcg@100"
    request.params.num_restarts = 1
    request.params.init_random = start == "random"
    request.params.seed = 1
    request.params.quiet = True
    began = time.process_time()
    model = dataset.train_model(request)
    seconds = time.process_time() - began
    return {"seconds": seconds, "weights": model.to_dict()["Linear"]["weights"]}


if __name__ == "__main__":
    main(*sys.argv[1:])
