"""Does a simplex do better that also goes uphill at first, or that starts again?

The plain simplex of Nelder and Mead stops in the first local minimum. In the annealed one every
vertex seems worse than it is by a random amount, and every point tried seems better, both in
proportion to a temperature; so while it is hot the simplex also accepts what is worse, and as it
cools it becomes the plain one (Press and Teukolsky 1991; for NDCG, Karimzadehgan, Li, Zhang and Mao
2011). At each lower temperature the best point ever seen takes the place of the worst vertex.

The restarted one is a reading of the paper's `max_stagnation`: how often the search may be tried
again without improvement. A simplex restarted in the same place with the same step would do the
same again, so after each failure the step changes its sign, and after every second one it is
halved.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from forebear.kernels.ndcg import Floats
from forebear.learning.stochastic_search import (
    Function,
    Minimum,
    NelderMead,
    SimplexMove,
    simplex_at,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnealedSimplex:
    """A minimizer; the seed decides the noise."""

    seed: int
    step: float = 0.1  # from the start to each other vertex of the first simplex
    temperature: float = 0.001  # of the first moves, in units of the function
    cooling: float = 0.7  # by which the temperature falls
    moves: int = 10  # at each temperature
    max_evaluations: int = 500
    reflection: float = 1.0
    expansion: float = 2.0
    contraction: float = 0.5
    shrinkage: float = 0.5

    def minimize(self, function: Function, start: Floats) -> Minimum:
        """Return the lowest point from a start; the first simplex is one step along each axis."""
        return _AnnealedWalk(self, function, start).run()


class _AnnealedWalk:
    """The current simplex, and the best point seen so far."""

    def __init__(self, settings: AnnealedSimplex, function: Function, start: Floats) -> None:
        self._settings = settings
        self._function = function
        self._random = np.random.default_rng(settings.seed)
        self._evaluations = 0
        self._best = (np.inf, start.astype(np.float64))
        self._points = simplex_at(start, settings.step)
        self._values = np.array([self._evaluate(point) for point in self._points])

    def run(self) -> Minimum:
        """Move and cool until the evaluations are spent."""
        moves: list[SimplexMove] = []
        heat = self._settings.temperature
        while self._evaluations < self._settings.max_evaluations:
            operation = self._move(heat)
            best = float(self._best[0])
            moves.append(SimplexMove(operation=operation, best=best, evaluations=self._evaluations))
            if len(moves) % self._settings.moves == 0:
                heat *= self._settings.cooling
                self._return_to_best()
        return Minimum(
            point=self._best[1],
            value=float(self._best[0]),
            evaluations=self._evaluations,
            moves=tuple(moves),
            ended="max_evaluations",
        )

    def _move(self, heat: float) -> str:
        seeming = self._values + heat * self._noise(self._values.size)
        order = np.argsort(seeming, kind="stable")
        seeming = seeming[order]
        self._points, self._values = self._points[order], self._values[order]
        reflected = self._try(self._settings.reflection)
        value = self._seeming(reflected[1], heat)
        if value < seeming[0]:
            expanded = self._try(self._settings.expansion)
            if self._seeming(expanded[1], heat) < value:
                return self._replace_worst(expanded, "expand")
            return self._replace_worst(reflected, "reflect")
        if value < seeming[-2]:
            return self._replace_worst(reflected, "reflect")
        contracted = self._try(-self._settings.contraction)
        if self._seeming(contracted[1], heat) < seeming[-1]:
            return self._replace_worst(contracted, "contract")
        return self._shrink()

    def _try(self, factor: float) -> tuple[Floats, float]:
        centroid = self._points[:-1].mean(axis=0)
        point = centroid + factor * (centroid - self._points[-1])
        return point, self._evaluate(point)

    def _seeming(self, value: float, heat: float) -> float:
        return value - heat * float(self._noise(1)[0])

    def _noise(self, count: int) -> Floats:
        return self._random.exponential(size=count)  # -log of a uniform number

    def _replace_worst(self, tried: tuple[Floats, float], operation: str) -> str:
        self._points[-1], self._values[-1] = tried
        return operation

    def _shrink(self) -> str:
        best = self._points[0].copy()
        self._points = best + self._settings.shrinkage * (self._points - best)
        self._values[1:] = [self._evaluate(point) for point in self._points[1:]]
        return "shrink"

    def _return_to_best(self) -> None:
        if self._best[0] in self._values:
            return  # twice the same vertex, and the simplex would lose a dimension
        worst = int(np.argmax(self._values))
        self._points[worst], self._values[worst] = self._best[1], self._best[0]

    def _evaluate(self, point: Floats) -> float:
        self._evaluations += 1
        value = self._function(point)
        if value < self._best[0]:
            self._best = (value, point.copy())
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class RestartedSimplex:
    """Nelder and Mead's simplex, restarted until some restarts in a row bring nothing."""

    simplex: NelderMead = field(default_factory=NelderMead)
    stagnation: int = 10  # restarts without improvement before it ends

    def minimize(self, function: Function, start: Floats) -> Minimum:
        """Return the lowest point of all restarts."""
        best = self.simplex.minimize(function, start)
        moves, evaluations, failures = list(best.moves), best.evaluations, 0
        while failures < self.stagnation:
            step = self.simplex.step * (-1) ** failures * 0.5 ** (failures // 2)
            tried = replace(self.simplex, step=step).minimize(function, best.point)
            moves += [
                SimplexMove(
                    operation=move.operation,
                    best=min(best.value, move.best),
                    evaluations=evaluations + move.evaluations,
                )
                for move in tried.moves
            ]
            evaluations += tried.evaluations
            improved = tried.value < best.value - self.simplex.improvement
            failures = 0 if improved else failures + 1
            best = tried if tried.value < best.value else best
        return Minimum(
            point=best.point,
            value=best.value,
            evaluations=evaluations,
            moves=tuple(moves),
            ended="stagnation",
        )
