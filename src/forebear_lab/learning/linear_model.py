"""Learned weights of features as a value: as JSON, and as a RankLib model for others."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError, ModelError
from forebear_lab.evaluation.letor import RanklibModel

KIND = "weights"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearModel:
    """A weight for each feature, the same in bits where they have a scale, and what is told."""

    weights: Mapping[str, float]
    bits: Mapping[str, float] = field(default_factory=dict)  # on the grid of 64ths
    level: float = 0.0  # bits to be added to a record's sum
    notes: Mapping[str, Any] = field(default_factory=dict)  # method, seed, measures ...

    def values(self) -> NDArray[np.float64]:
        """Return the weights in the order of their features."""
        return np.array(list(self.weights.values()), np.float64)

    def with_notes(self, **notes: Any) -> Self:
        """Return the model with more told of it."""
        return replace(self, notes={**self.notes, **notes})

    def to_json(self) -> str:
        """Return the model as JSON."""
        value: dict[str, Any] = {"kind": KIND, **self.notes, "weights": dict(self.weights)}
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
        if value.pop("kind") != KIND:
            raise ModelError(f"{where} is no model of weights")
        return LinearModel(
            weights={name: float(weight) for name, weight in value.pop("weights").items()},
            bits=value.pop("bits", {}),
            level=value.pop("level", 0.0),
            notes=value,
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ModelError(
            f"{where} is no model of weights: {error}",
            hint="learn one with `forebear learn weights`",
        ) from error
