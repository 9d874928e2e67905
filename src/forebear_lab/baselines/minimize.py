"""L-BFGS, with the training's NDCG noted along the way."""

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize

from forebear_lab.experiments.fuser import CurvePoint, Row

Loss = Callable[[Row], tuple[float, Row]]


def minimize_followed(
    loss: Loss, start: Row, value: Callable[[Row], float], *, steps: int = 100
) -> tuple[Row, tuple[CurvePoint, ...]]:
    """Return the minimum of a smooth loss and the value at the start, some steps and the end."""
    points = [start.copy()]
    found = minimize(
        loss,
        start,
        jac=True,
        method="L-BFGS-B",
        callback=lambda point: points.append(np.array(point)),
        options={"maxiter": steps, "maxcor": 20},
    )
    shown = sorted({0, len(points) - 1, *np.linspace(0, len(points) - 1, 10).astype(int).tolist()})
    curve = tuple(CurvePoint(work=number, train=value(points[number])) for number in shown)
    return np.asarray(found.x, np.float64), curve
