"""What is a learned model, as a value, as a file, and applied to runs?

A linear model has a weight per feature.  A fusion model turns the scores of each list into one
fused score:

    score -> normalized, if it was learned so -> bits (log2 of it, where weights multiply)
          -> calibrated, if it was learned so -> plus the list's shift and its conditions

Where weights multiply and nothing is calibrated, the fused score is weight * score, as in the
paper; else it is in bits.  Models are saved as JSON, never pickled.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self, get_args

import numpy as np

from forebear.errors import InputError, ModelError
from forebear.kernels.ndcg import Floats
from forebear.learning.calibrate import Calibration, FactTable, LogisticCalibration, calibrated
from forebear.learning.dataset import FusionDataset
from forebear.learning.stochastic_search import FusedScores, Scale
from forebear.trec import Run
from forebear_lab.evaluation.letor import RanklibModel
from forebear_lab.learning.calibration import (
    IsotonicCalibration,
    Norm,
    normalize_list,
    normalize_lists,
    to_bits,
)

WEIGHTS, FUSION = "weights", "fusion"  # kinds of models
MAX_CLAUSES = 5  # of a hybrid query, in OpenSearch 2.10 to 3.x


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFusion:
    """How the scores of one list are fused."""

    shift: float  # bits
    calibration: Calibration | None = None
    conditions: Mapping[str, float] = field(default_factory=dict)  # bits, by fact

    def moved(self, facts: Iterable[str]) -> float:
        """Return the list's shift in a query that has these facts."""
        return self.shift + sum(self.conditions.get(fact, 0.0) for fact in facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionModel:
    """How lists are fused, with notes on how that was learned."""

    scale: Scale
    lists: Mapping[str, ListFusion]
    norm: Norm = "none"
    notes: Mapping[str, Any] = field(default_factory=dict)  # method, seed, measures ...

    def __post_init__(self) -> None:
        kinds = {one.calibration is None for one in self.lists.values()}
        if len(kinds) > 1:
            raise ModelError("some lists of the model are calibrated and some are not")

    @property
    def multiplies(self) -> bool:
        """Return whether the fused score is a weight times the score, as in the paper."""
        return self.scale == "weights" and not self._calibrations()

    @property
    def shifts_bits(self) -> bool:
        """Return whether scores in bits are shifted, and nothing else is done to them."""
        return self.scale == "bits" and not self._calibrations()

    def fuse_list(self, name: str, scores: Floats, facts: Iterable[str] = ()) -> Floats:
        """Return the fused scores of one list's records for one query."""
        one = self._list(name)
        bits = self._bits(normalize_list(scores, self.norm))
        fused = (one.calibration.bits(bits) if one.calibration else bits) + one.moved(facts)
        return np.exp2(fused) if self.multiplies else fused

    def value(
        self, dataset: FusionDataset, facts: FactTable | None = None, *, cutoff: int = 100
    ) -> float:
        """Return the mean NDCG of the dataset's lists fused by this model."""
        return FusedScores(self.prepare(dataset), cutoff=cutoff).value(self.rows(dataset, facts))

    def prepare(self, dataset: FusionDataset) -> FusionDataset:
        """Return the dataset's scores in bits, ready for the shifts."""
        ready = normalize_lists(dataset, self.norm)
        if self.scale == "weights":
            ready = to_bits(ready)
        lines = self._calibrations()
        return calibrated(ready, lines) if lines else ready

    def rows(self, dataset: FusionDataset, facts: FactTable | None = None) -> Floats:
        """Return the shifts of the dataset's lists: one row, or with facts one per query."""
        lists = [self._list(name) for name in dataset.list_names]
        shifts = np.array([[one.shift for one in lists]], np.float64)
        if facts is None or not any(one.conditions for one in lists):
            return shifts
        table = [[one.conditions.get(fact, 0.0) for one in lists] for fact in facts.names]
        moves = np.array(table, np.float64).reshape(len(facts.names), len(lists))
        return shifts + facts.values.astype(np.float64) @ moves

    def with_notes(self, **notes: Any) -> Self:
        """Return the model with more notes."""
        return replace(self, notes={**self.notes, **notes})

    def _list(self, name: str) -> ListFusion:
        if name not in self.lists:
            names = ", ".join(self.lists)
            raise ModelError(f"the model knows no list {name!r}", hint=f"it knows {names}")
        return self.lists[name]

    def _calibrations(self) -> dict[str, Calibration]:
        return {name: one.calibration for name, one in self.lists.items() if one.calibration}

    def _bits(self, scores: Floats) -> Floats:
        if self.scale == "bits":
            return scores
        if scores.size and scores.min() <= 0:
            raise InputError(
                f"a score is {scores.min()}, and weights multiply only scores above 0",
                hint="the model was learned from positive scores",
            )
        return np.asarray(np.log2(scores), np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearModel:
    """A weight for each feature, the same in bits where they have a scale, and notes."""

    weights: Mapping[str, float]
    bits: Mapping[str, float] = field(default_factory=dict)  # on the grid of 64ths
    level: float = 0.0  # bits to be added to a record's sum
    notes: Mapping[str, Any] = field(default_factory=dict)  # method, seed, measures ...

    def values(self) -> Floats:
        """Return the weights in the order of their features."""
        return np.array(list(self.weights.values()), np.float64)

    def with_notes(self, **notes: Any) -> Self:
        """Return the model with more notes."""
        return replace(self, notes={**self.notes, **notes})

    def to_json(self) -> str:
        """Return the model as JSON."""
        value: dict[str, Any] = {"kind": WEIGHTS, **self.notes, "weights": dict(self.weights)}
        if self.bits:
            value |= {"bits": dict(self.bits), "level": self.level}
        return json.dumps(value, indent=1)

    def to_ranklib(self) -> RanklibModel:
        """Return the model in the form that learning-to-rank plugins load.

        There features go by number, from 1, which is what LETOR files call them.
        """
        try:
            weights = {int(name): weight for name, weight in self.weights.items()}
        except ValueError as error:
            raise InputError(
                f"a RankLib model has features by number, not by name: {error}"
            ) from error
        settings = {"Trained with": f"forebear, method {self.notes.get('method', 'unknown')}"}
        return RanklibModel(weights=weights, settings=settings)


def linear_model_from_json(text: str, *, where: str) -> LinearModel:
    """Return the model that a JSON text describes; ``where`` names it in errors."""
    try:
        value: dict[str, Any] = json.loads(text)
        if value.pop("kind") != WEIGHTS:
            raise ModelError(f"{where} is not a model of weights")
        return LinearModel(
            weights={name: float(weight) for name, weight in value.pop("weights").items()},
            bits=value.pop("bits", {}),
            level=value.pop("level", 0.0),
            notes=value,
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ModelError(
            f"{where} is not a model of weights: {error}",
            hint="learn one with `forebear learn weights`",
        ) from error


def fusion_model_to_json(model: FusionModel) -> str:
    """Return the model as JSON."""
    lists = {name: _list_value(one, model.multiplies) for name, one in model.lists.items()}
    value = {
        "kind": FUSION,
        "scale": model.scale,
        "norm": model.norm,
        **model.notes,
        "lists": lists,
    }
    return json.dumps(value, indent=1)


def fusion_model_from_json(text: str, *, where: str) -> FusionModel:
    """Return the model that a JSON text describes; ``where`` names it in errors."""
    try:
        value: dict[str, Any] = json.loads(text)
        kind, scale, norm = value.pop("kind"), value.pop("scale"), value.pop("norm")
        if kind != FUSION or scale not in get_args(Scale) or norm not in get_args(Norm):
            raise ModelError(f"{where} is of kind {kind!r}, scale {scale!r} and norm {norm!r}")
        lists = {name: _list_from_value(one) for name, one in value.pop("lists").items()}
        return FusionModel(scale=scale, norm=norm, lists=lists, notes=value)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ModelError(
            f"{where} is not a model of fusion: {error}",
            hint="learn one with `forebear learn fusion`",
        ) from error


def _list_value(one: ListFusion, multiplies: bool) -> dict[str, Any]:
    value: dict[str, Any] = {"shift": one.shift}
    if multiplies:
        value["weight"] = 2.0**one.shift
    if isinstance(one.calibration, LogisticCalibration):
        value["slope"], value["level"] = one.calibration.slope, one.calibration.level
    if isinstance(one.calibration, IsotonicCalibration):
        points = zip(one.calibration.scores, one.calibration.levels, strict=True)
        value["points"] = [list(point) for point in points]
    if one.conditions:
        value["conditions"] = dict(one.conditions)
    return value


def _list_from_value(value: Mapping[str, Any]) -> ListFusion:
    calibration: Calibration | None = None
    if "slope" in value:
        calibration = LogisticCalibration(slope=value["slope"], level=value["level"])
    if "points" in value:
        scores, levels = zip(*value["points"], strict=True)
        calibration = IsotonicCalibration(scores=scores, levels=levels)
    return ListFusion(
        shift=float(value["shift"]),
        calibration=calibration,
        conditions=value.get("conditions", {}),
    )


def normalization_pipeline(model: FusionModel) -> dict[str, Any]:
    """Return the body of an OpenSearch search pipeline with the weights of the model's lists.

    OpenSearch fuses the clauses of a `hybrid` query: it normalizes each clause's scores within the
    query, multiplies them by weights and takes the mean.  With one clause per list, and disjoint
    lists, that is our fusion by weights, if they were learned after the same normalization.

    The clauses of the hybrid query must come in the order of the lists, and each must return as
    many records as the lists had that the weights were learned from.
    """
    _check_expressible(model)
    weights = {name: 2.0**one.shift for name, one in model.lists.items()}
    total = sum(weights.values())
    return {
        "description": f"weights of {', '.join(weights)}, in this order",
        "phase_results_processors": [
            {
                "normalization-processor": {
                    "normalization": {"technique": model.norm},
                    "combination": {
                        "technique": "arithmetic_mean",
                        "parameters": {"weights": [w / total for w in weights.values()]},
                    },
                }
            }
        ],
    }


def _check_expressible(model: FusionModel) -> None:
    lists = model.lists.values()
    too_many = f"it fuses {len(lists)} lists, and a hybrid query has at most {MAX_CLAUSES} clauses"
    reasons = {
        "it shifts scores in bits, and OpenSearch only multiplies": model.scale != "weights",
        "it takes scores as they are, and OpenSearch normalizes them": model.norm == "none",
        "it calibrates scores": any(one.calibration for one in lists),
        "it moves lists by facts of the query": any(one.conditions for one in lists),
        too_many: len(lists) > MAX_CLAUSES,
    }
    reasons_against = [reason for reason, holds in reasons.items() if holds]
    if reasons_against:
        raise ModelError(
            "an OpenSearch normalization pipeline cannot express this model: "
            f"{'; '.join(reasons_against)}",
            hint="learn with `--normalize min_max --no-slopes`, on at most 5 lists, without facts",
        )


def fuse_runs(
    runs: Mapping[str, Run],
    model: FusionModel,
    *,
    facts: Mapping[str, frozenset[str]] | None = None,
    top: int = 100,
    decay: float = 0.0,
) -> Run:
    """Return the fused run of lists given by name: of each query the ``top`` best documents.

    ``facts`` says which facts each query has.  With a ``decay``, every document already taken
    from a list lowers the rest of it by that many bits.
    """
    queries = dict.fromkeys(query for run in runs.values() for query in run.scores)
    by_query = facts or {}
    fused = {
        query: _fuse_query(query, runs, model, by_query.get(query, frozenset()), decay)
        for query in queries
    }
    return Run(scores={query: best_documents(scores, top) for query, scores in fused.items()})


def _fuse_query(
    query: str, runs: Mapping[str, Run], model: FusionModel, facts: frozenset[str], decay: float
) -> dict[str, float]:
    fused: dict[str, float] = {}
    for name, run in runs.items():
        documents = run.ranked(query)
        if not documents:
            continue
        scores = np.array([run.scores[query][document] for document in documents])
        values = _decayed(model.fuse_list(name, scores, facts), model.multiplies, decay)
        twice = next((document for document in documents if document in fused), None)
        if twice is not None:
            raise InputError(
                f"document {twice!r} of query {query!r} is in two lists, {name!r} the second",
                hint="fuse lists that share documents by --method rrf, comb_sum or comb_mnz, or by "
                "a model of `forebear learn combination`",
            )
        fused |= zip(documents, values.tolist(), strict=True)
    return fused


def _decayed(values: Floats, multiplies: bool, decay: float) -> Floats:
    """Return fused scores, best first, lowered by a decay for each one before them."""
    lost = decay * np.arange(values.size)
    return values / np.exp2(lost) if multiplies else values - lost


def best_documents(scores: Mapping[str, float], top: int) -> dict[str, float]:
    """Return the first documents of a query in the order of trec_eval, with their scores."""
    ranked = Run(scores={"": scores}).ranked("")
    return {document: scores[document] for document in ranked[:top]}
