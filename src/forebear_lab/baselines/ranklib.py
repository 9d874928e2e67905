"""How do RankLib's own learners rank?  The program itself, with its default settings.

RankLib 2.10.1 (the maintained fork of the Lemur project's library, which the paper used) is
fetched by Maven on first use.  Data is written as LETOR text, a learner is trained by one run of
Java, and the saved model scores other queries by another.  The scores are read back and judged by
our measures, on the same folds as everything else.

Only the training metric is set, to NDCG@100, which the paper measures; everything else is
RankLib's default.  RankLib takes no seed, so its shuffles differ from run to run.  It gets one
processor; time and memory of each run are limited, and CPU time is that of the whole process.

Lists to be fused have one column per list, which holds the score of the list's records and 0 for
all others: the paper's features of global search.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset, RankingDataset
from forebear.learning.rank_svm import score_columns
from forebear_lab.baselines.fuser import Fitted, query_offsets, sample_queries
from forebear_lab.baselines.maven import (
    Artifact,
    Limits,
    NotRunError,
    fetch_artifact,
    find_java,
    java_command,
    run_limited,
)
from forebear_lab.evaluation.letor import LetorData, write_letor

HOME_VARIABLE = "FOREBEAR_RANKLIB_HOME"
METRIC = "NDCG@100"
ROWS_AT_ONCE = 400_000  # scored by one run of Java, which holds them all in memory
ARTIFACTS = (
    Artifact(
        group="org.codelibs",
        name="ranklib",
        version="2.10.1",
        sha512="fe7f1d29c14f3e70bb3aeb598744a9c9d94ba5c98033c45f14030f8dc22eb3fb"
        "1720c7d5dfb0e4168f5d484adc1a4b57ec49ff35b31624b632a72b9605ec0f4e",
    ),
    Artifact(
        group="org.apache.commons",
        name="commons-math3",
        version="3.6.1",
        sha512="8bc2438b3b4d9a6be4a47a58410b2d4d0e56e05787ab24badab8cbc9075d6185"
        "7e8d2f0bffedad33f18f8a356541d00f80a8597b5dedb995be8480d693d03226",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranker:
    """A learner of RankLib: its number on the command line, and its defaults in words."""

    number: int
    title: str
    defaults: str


RANKERS: Mapping[str, Ranker] = {
    "lambdamart": Ranker(number=6, title="LambdaMART", defaults="1000 trees, 10 leaves, rate 0.1"),
    "ranknet": Ranker(number=1, title="RankNet", defaults="100 epochs, 10 nodes, rate 0.00005"),
    "adarank": Ranker(number=3, title="AdaRank", defaults="500 rounds, tolerance 0.002"),
    "listnet": Ranker(number=7, title="ListNet", defaults="1500 epochs, rate 0.00001"),
    "forest": Ranker(number=8, title="RandomForest", defaults="300 bags, 100 leaves"),
    "mart": Ranker(number=0, title="MART", defaults="1000 trees, 10 leaves, rate 0.1"),
    "ca": Ranker(number=4, title="coordinate ascent", defaults="5 restarts, tolerance 0.001"),
    "rankboost": Ranker(number=2, title="RankBoost", defaults="300 rounds, 10 thresholds"),
}


@cache
def ranklib_command(limits: Limits) -> tuple[str, ...]:
    """Return how RankLib is started; it is fetched the first time."""
    java = find_java(oldest=11)
    folder = ranklib_home()
    jars = [fetch_artifact(artifact, folder) for artifact in ARTIFACTS]
    return (*java_command(java, jars, limits), "ciir.umass.edu.eval.Evaluator")


def ranklib_home() -> Path:
    """Return the folder of RankLib's files: in the user's cache, or where the variable says."""
    if named := os.environ.get(HOME_VARIABLE):
        return Path(named)
    cache_folder = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache_folder) / "forebear" / "ranklib"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedRanker:
    """A model of RankLib as it saved it, and the CPU time of its training."""

    model: str
    seconds: float
    command: tuple[str, ...]
    limits: Limits

    def score(self, data: LetorData) -> Floats:
        """Return the score of each row."""
        return np.concatenate([np.zeros(0), *map(self._score_part, _parts(data))])

    def _score_part(self, data: LetorData) -> Floats:
        with TemporaryDirectory(prefix="forebear-ranklib-") as name:
            folder = Path(name)
            (folder / "model.txt").write_text(self.model, "utf-8")
            write_letor(data, folder / "rows.txt")
            words = ["-load", "model.txt", "-rank", "rows.txt", "-score", "scores.txt"]
            _run(self.command, words, folder, self.limits)
            return parse_scores((folder / "scores.txt").read_text("utf-8"), data)


def train_ranker(
    name: str, data: LetorData, limits: Limits, *, command: tuple[str, ...] | None = None
) -> TrainedRanker:
    """Train a learner by one run of RankLib (or of another command of the same form)."""
    started = command or ranklib_command(limits)
    with TemporaryDirectory(prefix="forebear-ranklib-") as folder_name:
        folder = Path(folder_name)
        write_letor(data, folder / "rows.txt")
        words = ["-train", "rows.txt", "-ranker", str(RANKERS[name].number)]
        words += ["-metric2t", METRIC, "-save", "model.txt"]
        seconds = _run(started, words, folder, limits)
        model = (folder / "model.txt").read_text("utf-8")
    return TrainedRanker(model=model, seconds=seconds, command=started, limits=limits)


def _run(command: tuple[str, ...], words: list[str], folder: Path, limits: Limits) -> float:
    paths = {"rows.txt", "model.txt", "scores.txt"}
    line = [*command, *(str(folder / word) if word in paths else word for word in words)]
    seconds = run_limited(line, limits, folder / "log.txt")
    if not (folder / words[-1]).is_file():
        raise NotRunError(f"RankLib ended without writing {words[-1]}")
    return seconds


def parse_scores(text: str, data: LetorData) -> Floats:
    """Return the scores that RankLib wrote, one line `query place score` per row, in order."""
    rows = [line.split("\t") for line in text.splitlines()]
    sizes = np.diff(data.offsets).tolist()
    expected = [
        [query, str(place)]
        for query, size in zip(data.query_ids, sizes, strict=True)
        for place in range(size)
    ]
    if [row[:2] for row in rows] != expected:
        raise NotRunError(
            f"RankLib wrote {len(rows)} scores that do not fit {len(expected)} records"
        )
    scores = np.array([float(row[2]) for row in rows])
    if np.isnan(scores).any():
        raise NotRunError("RankLib's scores are not numbers (NaN)")
    return scores


def _parts(data: LetorData) -> Iterator[LetorData]:
    """Yield the data in parts of whole queries."""
    first = 0
    while first < len(data.query_ids):
        end = int(np.searchsorted(data.offsets, data.offsets[first] + ROWS_AT_ONCE, "right")) - 1
        end = max(end, first + 1)
        rows = slice(data.offsets[first], data.offsets[end])
        yield LetorData(
            features=data.features[rows],
            labels=data.labels[rows],
            offsets=data.offsets[first : end + 1] - data.offsets[first],
            query_ids=data.query_ids[first:end],
        )
        first = end


def lists_as_letor(dataset: FusionDataset) -> LetorData:
    """Return lists to be fused as feature vectors, one column per list."""
    return _letor(score_columns(dataset), dataset.labels, query_offsets(dataset))


def records_as_letor(dataset: RankingDataset) -> LetorData:
    """Return judged records as feature vectors."""
    return _letor(dataset.features.astype(np.float64), dataset.labels, dataset.offsets)


def _letor(features: Floats, labels: NDArray[np.int64], offsets: NDArray[np.int64]) -> LetorData:
    """Return feature vectors of the queries that have any; queries are named by number."""
    answered = np.flatnonzero(np.diff(offsets))
    return LetorData(
        features=features,
        labels=labels,
        offsets=np.append(offsets[:-1][answered], offsets[-1]),
        query_ids=tuple(str(number + 1) for number in answered.tolist()),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RanklibFuser:
    """A learner of RankLib as a fuser; the seed decides which queries it sees."""

    ranker: str
    seed: int
    queries: int  # sampled at most
    limits: Limits = field(default_factory=Limits)
    command: tuple[str, ...] | None = None  # instead of RankLib, for tests

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Train on a sample of the queries."""
        sample = sample_queries(dataset, self.queries, self.seed)
        data = lists_as_letor(sample)
        trained = train_ranker(self.ranker, data, self.limits, command=self.command)
        return Fitted(
            score=lambda lists: trained.score(lists_as_letor(lists)),
            settings={
                "RankLib": "2.10.1",
                "defaults": RANKERS[self.ranker].defaults,
                "queries": len(sample.query_ids),
                "limit in s": self.limits.seconds,
                "limit in MB": self.limits.memory_mb,
            },
            seconds=trained.seconds,
        )
