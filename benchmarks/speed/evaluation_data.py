"""The data of the evaluation benchmark: the same arrays for us and the same files for all.

Scores are distinct within a query and few enough in digits to be distinct in single
precision too, so that every tool ranks alike whatever it does with ties.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

DEPTH = 100
TYPE_COUNT = 14


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankingData:
    """Unsorted documents by query; query q has ``offsets[q]:offsets[q + 1]``."""

    scores: NDArray[np.float64]
    grades: NDArray[np.int64]
    types: NDArray[np.int64]
    offsets: NDArray[np.int64]

    def ranked_types(self) -> NDArray[np.int64]:
        """Return the types of each query's documents, best first."""
        order = np.argsort(-self.scores.reshape(-1, DEPTH), axis=1)
        return np.take_along_axis(self.types.reshape(-1, DEPTH), order, axis=1).ravel()


def make_data(queries: int, seed: int) -> RankingData:
    """Draw queries of 100 documents, one to four of them relevant and rather near the top."""
    random = np.random.default_rng(seed)
    steps = random.integers(1, 2000, (queries, DEPTH)).cumsum(axis=1)
    scores = random.permuted(steps, axis=1)
    luck = random.gumbel(size=scores.shape) + scores / 20_000
    rank = np.argsort(np.argsort(-luck, axis=1), axis=1)
    relevant = rank < random.integers(1, 5, (queries, 1))
    grades = np.where(relevant, random.integers(1, 3, scores.shape), 0)
    return RankingData(
        scores=scores.ravel() / 1000,
        grades=grades.ravel(),
        types=random.integers(0, TYPE_COUNT, scores.size),
        offsets=np.arange(queries + 1) * DEPTH,
    )


def write_files(data: RankingData, folder: Path) -> None:
    """Write the data as a TREC run and judgments, as a system would: best first."""
    with (folder / "a.run").open("w") as run, (folder / "qrels.txt").open("w") as qrels:
        for query in range(data.offsets.size - 1):
            rows = np.arange(data.offsets[query], data.offsets[query + 1])
            ranked = rows[np.argsort(-data.scores[rows])].tolist()
            run.writelines(
                f"q{query} Q0 d{row} {rank} {data.scores[row]:.3f} system\n"
                for rank, row in enumerate(ranked, start=1)
            )
            qrels.writelines(
                f"q{query} 0 d{row} {data.grades[row]}\n" for row in rows if data.grades[row]
            )
