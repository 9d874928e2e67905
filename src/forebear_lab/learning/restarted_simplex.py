"""What if a simplex that has stopped starts again at its best point?

One reading of the paper's `max_stagnation` is how often the search may be tried again without
improvement.  A simplex restarted in the same place with the same step would do the same again, so
after each failure the step changes its sign, and after every second one it is halved.
"""

from dataclasses import dataclass, field, replace

from forebear.kernels.ndcg import Floats
from forebear.learning.stochastic_search import Function, Minimum, NelderMead, SimplexMove


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
