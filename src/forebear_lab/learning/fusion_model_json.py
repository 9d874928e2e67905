"""A learned fusion as JSON, and back; never pickled."""

import json
from collections.abc import Mapping
from typing import Any, get_args

from forebear.errors import ModelError
from forebear.learning.calibrate import Calibration, LogisticCalibration
from forebear.learning.stochastic_search import Scale
from forebear_lab.learning.fusion_model import FusionModel, ListFusion
from forebear_lab.learning.isotonic import IsotonicCalibration
from forebear_lab.learning.score_norms import Norm

KIND = "fusion"


def fusion_model_to_json(model: FusionModel) -> str:
    """Return the model as JSON."""
    lists = {name: _value(one, model.multiplies) for name, one in model.lists.items()}
    value = {"kind": KIND, "scale": model.scale, "norm": model.norm, **model.notes, "lists": lists}
    return json.dumps(value, indent=1)


def fusion_model_from_json(text: str, *, where: str) -> FusionModel:
    """Return the model that a JSON text describes; ``where`` names it in errors."""
    try:
        value: dict[str, Any] = json.loads(text)
        kind, scale, norm = value.pop("kind"), value.pop("scale"), value.pop("norm")
        if kind != KIND or scale not in get_args(Scale) or norm not in get_args(Norm):
            raise ModelError(f"{where} is of kind {kind!r}, scale {scale!r} and norm {norm!r}")
        lists = {name: _list(one) for name, one in value.pop("lists").items()}
        return FusionModel(scale=scale, norm=norm, lists=lists, notes=value)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ModelError(
            f"{where} is not a model of fusion: {error}",
            hint="learn one with `forebear learn fusion`",
        ) from error


def _value(one: ListFusion, multiplies: bool) -> dict[str, Any]:
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


def _list(value: Mapping[str, Any]) -> ListFusion:
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
