"""What this package learns itself, as an experiment sees it."""

from dataclasses import dataclass

import numpy as np

from forebear.learning.dataset import FusionDataset
from forebear_lab.experiments.bits import scale_of
from forebear_lab.experiments.fuser import CurvePoint, Fitted, Row
from forebear_lab.learning.fusion_model import FusionModel
from forebear_lab.learning.learn_fusion import CalibrationKind, FusionLearner, FusionMethod


@dataclass(frozen=True, slots=True, kw_only=True)
class OurFuser:
    """A method of `forebear learn fusion`."""

    seed: int
    method: FusionMethod
    slopes: bool = False  # of the exact method: may each list have its own?
    calibration: CalibrationKind = "logistic"

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Learn a model."""
        learner = FusionLearner(
            method=self.method,
            seed=self.seed,
            scale=scale_of(dataset),
            slopes=self.slopes,
            calibration=self.calibration,
        )
        model, history = learner.fit(dataset)
        linear = all(one.calibration is None for one in model.lists.values())
        weights = {name: 2.0**one.shift for name, one in model.lists.items()} if linear else {}
        return Fitted(
            score=lambda lists: fused(model, lists),
            curve=tuple(
                CurvePoint(work=step.evaluations, train=step.train)
                for step in history.steps
                if not step.move.startswith("sample")  # of other queries
            ),
            unit="line searches" if self.method == "exact" else "evaluations",
            settings={"method": self.method, "ended": history.ended},
            weights=weights,
        )


def fused(model: FusionModel, dataset: FusionDataset) -> Row:
    """Return each record's fused score in bits."""
    ready = model.prepare(dataset)
    shifts = model.rows(ready)[0][ready.lists_of_records()]
    return np.asarray(ready.scores + shifts, np.float64)
