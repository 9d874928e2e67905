"""Linear models in the text form of RankLib, which learning-to-rank plugins load too.

    ## Coordinate Ascent
    ## Restart = 5
    1:0.25 2:-0.5 3:0.25

The first line names the learner, further lines after `##` say how it was set, and the last
holds the weights by feature number.  A document's score is the weighted sum of its features
(plus the weight of feature 0, which linear regression has as its constant).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from forebear.errors import InputError
from forebear.trec import read_lines, refuse, write_lines

LEARNERS = ("Coordinate Ascent", "Linear Regression")  # those that end in one linear function


@dataclass(frozen=True, slots=True, kw_only=True)
class RanklibModel:
    """Weights by feature number, and the settings that the file tells."""

    weights: Mapping[int, float]
    learner: str = "Coordinate Ascent"
    settings: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.learner not in LEARNERS:
            known = " or ".join(repr(name) for name in LEARNERS)
            raise InputError(f"no linear model comes from {self.learner!r}, but from {known}")
        if not self.weights:
            raise InputError("a linear model without weights ranks nothing")
        for number, weight in self.weights.items():
            if number < 0 or not math.isfinite(weight):
                raise InputError(f"weight {weight} of feature {number} cannot stand in a model")

    def score(self, features: Mapping[int, float]) -> float:
        """Return the score of a document, given its features by number.

        >>> RanklibModel(weights={1: 0.5, 3: -0.25}).score({1: 1.0, 2: 9.0, 3: 2.0})
        0.0
        """
        parts = (weight * features.get(number, 0.0) for number, weight in self.weights.items())
        return self.weights.get(0, 0.0) + math.fsum(parts)


def read_ranklib_model(path: Path) -> RanklibModel:
    """Read a linear RankLib model."""
    learner, settings = "", {}
    for number, line in read_lines(path):
        text = line.strip()
        if not learner:
            learner = _parse_learner(text, path, number)
        elif text.startswith("##"):
            name, _, value = text.removeprefix("##").partition("=")
            settings[name.strip()] = value.strip()
        elif text:
            weights = _parse_weights(text, path, number)
            return RanklibModel(weights=weights, learner=learner, settings=settings)
    raise InputError(f"{path}: expected a line of weights `1:weight 2:weight ...`; found none")


def write_ranklib_model(model: RanklibModel, path: Path) -> None:
    """Write a linear RankLib model."""
    settings = [f"## {name} = {value}" for name, value in model.settings.items()]
    weights = (f"{number}:{weight!r}" for number, weight in sorted(model.weights.items()))
    write_lines(path, [f"## {model.learner}", *settings, " ".join(weights)])


def _parse_learner(text: str, path: Path, number: int) -> str:
    learner = text.removeprefix("##").strip()
    if not text.startswith("##") or learner not in LEARNERS:
        wanted = f"`## {LEARNERS[0]}` as the first line of a linear RankLib model"
        refuse(path, number, found=text, wanted=wanted)
    return learner


def _parse_weights(text: str, path: Path, number: int) -> dict[int, float]:
    weights: dict[int, float] = {}
    for word in text.partition("#")[0].split():
        name, _, value = word.partition(":")
        try:
            feature, weight = int(name), float(value)
        except ValueError:
            feature, weight = -1, math.nan
        if feature < 0 or feature in weights or not math.isfinite(weight):
            wanted = "each feature once as `number:weight`"
            refuse(path, number, found=word, wanted=wanted)
        weights[feature] = weight
    return weights
