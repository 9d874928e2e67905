"""How is a learned model applied to data?  Every query's documents get scores, and make a run.

A model is a JSON file of `forebear learn` or a linear model of RankLib, and its kind says which
data it ranks: weights rank feature vectors (LETOR, LightGBM, arrays), a fusion or a combination
ranks lists (TREC runs, or arrays of lists).  Vectors carry their labels, so that judgments can be
written beside the run.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from forebear.errors import InputError, ModelError
from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset, RankingDataset
from forebear.trec import Qrels, Run
from forebear_lab.evaluation.files import read_lists
from forebear_lab.evaluation.letor import numbered_documents, read_documents, read_ranklib_model
from forebear_lab.learning.combining import COMBINATION, Combination, combination_from_json
from forebear_lab.learning.files import read_all_fusion_npz, read_ranking, with_width
from forebear_lab.learning.models import (
    FUSION,
    WEIGHTS,
    FusionModel,
    LinearModel,
    best_documents,
    fuse_runs,
    fusion_model_from_json,
    fusion_model_to_json,
    linear_model_from_json,
)

LearnedModel = LinearModel | FusionModel | Combination
Documents = Sequence[Sequence[str]]  # the names of each query's documents

RANKLIB_START = "##"
_READERS: dict[str, Callable[..., LearnedModel]] = {
    WEIGHTS: linear_model_from_json,
    FUSION: fusion_model_from_json,
    COMBINATION: combination_from_json,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """A run, and the judgments of its documents where the data has them."""

    run: Run
    qrels: Qrels | None = None
    ignored_features: int = 0  # features of the data that the model has no weight for


def read_model(path: Path) -> LearnedModel:
    """Read a model of any kind."""
    if not path.is_file():
        raise InputError(f"there is no model {str(path)!r}", hint="`forebear learn` writes one")
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError:
        raise ModelError(f"{path} is not a model: it is not text") from None
    if text.startswith(RANKLIB_START):
        weights = read_ranklib_model(path).weights
        return LinearModel(weights={str(number): weight for number, weight in weights.items()})
    return _READERS[_kind(text, path)](text, where=str(path))


def model_to_json(model: LearnedModel) -> str:
    """Return a model of any kind as JSON."""
    return fusion_model_to_json(model) if isinstance(model, FusionModel) else model.to_json()


def rank_files(
    model: LearnedModel,
    paths: Sequence[Path],
    *,
    facts: Mapping[str, frozenset[str]] | None = None,
    top: int = 100,
) -> Ranking:
    """Return the ranking that a model gives the data of files: vectors or lists."""
    if isinstance(model, LinearModel):
        if len(paths) != 1:
            raise InputError(f"a model of weights ranks one file of vectors, not {len(paths)}")
        dataset = read_ranking(paths[0])
        documents = documents_of(dataset, paths[0])
        return rank_vectors(model, dataset, documents, top=top)
    if paths[0].suffix == ".npz":
        if len(paths) != 1:
            raise InputError("an .npz has all its lists in it; give it alone")
        runs, qrels = runs_of_arrays(read_all_fusion_npz(paths[0]))
        return Ranking(run=fuse_lists(model, runs, facts=facts, top=top), qrels=qrels)
    return Ranking(run=fuse_lists(model, read_lists(paths), facts=facts, top=top))


def fuse_lists(
    model: LearnedModel,
    runs: Mapping[str, Run],
    *,
    facts: Mapping[str, frozenset[str]] | None = None,
    top: int = 100,
    decay: float = 0.0,
) -> Run:
    """Return the run of lists fused by a model."""
    if isinstance(model, FusionModel):
        return fuse_runs(runs, model, facts=facts, top=top, decay=decay)
    if isinstance(model, LinearModel):
        raise ModelError(
            "a model of weights ranks feature vectors, not runs",
            hint="learn with `forebear learn fusion` or `forebear learn combination`",
        )
    if facts or decay:
        raise InputError("a combination of lists uses neither facts nor a decay")
    return model.fuse(runs, top=top)


def documents_of(dataset: RankingDataset, path: Path) -> Documents:
    """Return the names of the documents of a file that was read into a dataset."""
    if path.suffix == ".npz":
        return numbered_documents(dataset.query_ids, dataset.offsets)
    return read_documents(path, dataset.query_ids, dataset.offsets)


def rank_vectors(
    model: LinearModel, dataset: RankingDataset, documents: Documents, *, top: int
) -> Ranking:
    """Return the documents of each query by the weighted sum of their features."""
    scores = linear_scores(model, dataset)
    run, grades = {}, {}
    for number, (query, names) in enumerate(zip(dataset.query_ids, documents, strict=True)):
        rows = slice(int(dataset.offsets[number]), int(dataset.offsets[number + 1]))
        run[query] = best_documents(dict(zip(names, scores[rows].tolist(), strict=True)), top)
        grades[query] = dict(zip(names, dataset.labels[rows].tolist(), strict=True))
    return Ranking(
        run=Run(scores=run),
        qrels=Qrels(grades=grades),
        ignored_features=sum(name not in model.weights for name in dataset.feature_names),
    )


def linear_scores(model: LinearModel, dataset: RankingDataset) -> Floats:
    """Return the score of every document; feature 0 of RankLib is a constant."""
    weights = {name: weight for name, weight in model.weights.items() if name != "0"}
    numbers = [int(name) if name.isascii() and name.isdigit() else 0 for name in weights]
    if not all(numbers):
        name = next(name for name, number in zip(weights, numbers, strict=True) if not number)
        raise ModelError(f"the model has a feature {name!r}, and files number theirs from 1")
    width = max(numbers, default=0)
    values = np.zeros(width)
    values[np.array(numbers, np.int64) - 1] = list(weights.values())
    names = tuple(str(number) for number in range(1, width + 1))
    return with_width(dataset, names).features @ values + model.weights.get("0", 0.0)


def runs_of_arrays(dataset: FusionDataset) -> tuple[dict[str, Run], Qrels]:
    """Return lists in arrays as runs and judgments; a document is named by list and rank.

    The third of list02 for query q7 is `q7.list02.3`.
    """
    scores: dict[str, dict[str, dict[str, float]]] = {name: {} for name in dataset.list_names}
    grades: dict[str, dict[str, int]] = {}
    cells = ((query, name) for query in dataset.query_ids for name in dataset.list_names)
    for (query, name), start, end in zip(
        cells, dataset.offsets.tolist(), dataset.offsets[1:].tolist(), strict=False
    ):
        documents = [f"{query}.{name}.{rank}" for rank in range(1, end - start + 1)]
        values, labels = dataset.scores[start:end].tolist(), dataset.labels[start:end].tolist()
        if documents:
            scores[name][query] = dict(zip(documents, map(float, values), strict=True))
        grades.setdefault(query, {}).update(zip(documents, labels, strict=True))
    return {name: Run(scores=of_list) for name, of_list in scores.items()}, Qrels(grades=grades)


def _kind(text: str, path: Path) -> str:
    try:
        value = json.loads(text)
        kind = value["kind"]
    except (ValueError, KeyError, TypeError):
        kind = None
    if kind not in _READERS:
        raise ModelError(
            f"{path} is not a model: it has no kind {', '.join(sorted(_READERS))}",
            hint="give a file of `forebear learn`, or a linear model of RankLib",
        )
    return str(kind)
