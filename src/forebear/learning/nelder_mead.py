"""Nelder and Mead's downhill simplex: a minimum without derivatives.

N + 1 points of an N-dimensional space (the vertices of a simplex) walk downhill.  In each
iteration the worst vertex is moved through the centroid of the others:

    reflect   to the other side, as far as it was; kept if better than the second worst
    expand    twice as far, if the reflection was better than the best; the better is kept
    contract  half way to the centroid, if the reflection did not help
    shrink    all vertices half way to the best, if nothing else helped

It ends when the best value has not improved for some iterations.  The method may stop
where there is no minimum (McKinnon 1998; our tests show it); a good start matters.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError

Point = NDArray[np.float64]
Function = Callable[[Point], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimplexMove:
    """What one iteration did, and where that left the best vertex."""

    operation: str  # "reflect", "expand", "contract", "shrink"
    best: float
    evaluations: int  # so far


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Minimum:
    """The lowest point found and the way there."""

    point: Point
    value: float
    evaluations: int
    moves: tuple[SimplexMove, ...]
    ended: str  # "stagnation", "max_iterations" or "max_evaluations"


class Minimizer(Protocol):
    """Whatever finds low points of a function from a start."""

    def minimize(self, function: Function, start: Point) -> Minimum:
        """Return the lowest point found."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NelderMead:
    """A minimizer; the defaults are those the paper gives, where it gives any."""

    step: float = 0.1  # from the start to each other vertex of the first simplex
    stagnation: int = 10  # iterations without improvement before it ends
    improvement: float = 1e-5  # what counts as one
    max_iterations: int = 1000  # the paper does not say
    reflection: float = 1.0
    expansion: float = 2.0
    contraction: float = 0.5
    shrinkage: float = 0.5

    def minimize(self, function: Function, start: Point) -> Minimum:
        """Return the lowest point found from a start, one step along each axis at first."""
        return self.minimize_from(function, simplex_at(start, self.step))

    def minimize_from(self, function: Function, vertices: Point) -> Minimum:
        """Return the lowest point found from a whole simplex, one row a vertex."""
        if vertices.ndim != 2 or vertices.shape[0] != vertices.shape[1] + 1:
            raise InputError(f"a simplex has one vertex more than axes, not {vertices.shape}")
        return _Walk(self, function, vertices).run()


def simplex_at(start: Point, step: float) -> Point:
    """Return a simplex, one row a vertex: the start, and a step from it along each axis."""
    if start.ndim != 1 or not start.size:
        raise InputError(f"a start is a row of numbers, not of shape {start.shape}")
    return np.vstack([start, start + step * np.eye(start.size)])


class _Walk:
    """A simplex on its way, its vertices sorted by value."""

    def __init__(self, settings: NelderMead, function: Function, vertices: Point) -> None:
        self._settings = settings
        self._function = function
        self._evaluations = 0
        self._points = vertices.astype(np.float64)
        self._values = np.array([self._evaluate(point) for point in self._points])
        self._sort()

    def run(self) -> Minimum:
        moves: list[SimplexMove] = []
        lowest, idle = float(self._values[0]), 0
        while len(moves) < self._settings.max_iterations and idle < self._settings.stagnation:
            operation = self._move()
            self._sort()
            best = float(self._values[0])
            moves.append(SimplexMove(operation=operation, best=best, evaluations=self._evaluations))
            improved = best < lowest - self._settings.improvement
            lowest, idle = (best, 0) if improved else (lowest, idle + 1)
        return Minimum(
            point=self._points[0],
            value=float(self._values[0]),
            evaluations=self._evaluations,
            moves=tuple(moves),
            ended="stagnation" if idle >= self._settings.stagnation else "max_iterations",
        )

    def _move(self) -> str:
        reflected, value = self._beyond(self._settings.reflection)
        if value < self._values[0]:
            expanded, expanded_value = self._beyond(self._settings.expansion)
            if expanded_value < value:
                return self._replace_worst(expanded, expanded_value, "expand")
            return self._replace_worst(reflected, value, "reflect")
        if value < self._values[-2]:
            return self._replace_worst(reflected, value, "reflect")
        contracted, value = self._beyond(-self._settings.contraction)
        if value < self._values[-1]:
            return self._replace_worst(contracted, value, "contract")
        return self._shrink()

    def _beyond(self, factor: float) -> tuple[Point, float]:
        """Return the point so many times as far beyond the centroid as the worst is before it."""
        centroid = self._points[:-1].mean(axis=0)
        point = centroid + factor * (centroid - self._points[-1])
        return point, self._evaluate(point)

    def _replace_worst(self, point: Point, value: float, operation: str) -> str:
        self._points[-1], self._values[-1] = point, value
        return operation

    def _shrink(self) -> str:
        best = self._points[0]
        self._points = best + self._settings.shrinkage * (self._points - best)
        self._values[1:] = [self._evaluate(point) for point in self._points[1:]]
        return "shrink"

    def _sort(self) -> None:
        order = np.argsort(self._values, kind="stable")
        self._points, self._values = self._points[order], self._values[order]

    def _evaluate(self, point: Point) -> float:
        self._evaluations += 1
        return self._function(point)
