"""What happened during a training: its measure and its cost after each move."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingStep:
    """The state after one move of a learner."""

    move: str  # "start", "pass 3", "reflect" ...
    train: float  # the measure on the training queries
    validation: float | None = None
    evaluations: int  # of the training measure, so far
    seconds: float  # so far


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingHistory:
    """Every step of a training, and why it ended."""

    steps: tuple[TrainingStep, ...]
    ended: str  # "tolerance", "max_passes", "validation", "stagnation", "max_iterations"

    @property
    def last(self) -> TrainingStep:
        """Return the state in which training ended."""
        return self.steps[-1]


Progress = Callable[[TrainingStep], None]


def no_progress(_: TrainingStep) -> None:
    """Ignore the step."""


def later(history: TrainingHistory, seconds: float) -> TrainingHistory:
    """Return the history of a training that began after some seconds of other work."""
    steps = tuple(replace(step, seconds=step.seconds + seconds) for step in history.steps)
    return replace(history, steps=steps)


def join_histories(parts: Sequence[tuple[str, TrainingHistory]]) -> TrainingHistory:
    """Return histories as one, each step under its part's name, its costs counted from the start.

    An empty name leaves the steps' names as they are.
    """
    steps: list[TrainingStep] = []
    evaluations, seconds = 0, 0.0
    for name, history in parts:
        for step in history.steps:
            joined = replace(
                step,
                move=f"{name}: {step.move}" if name else step.move,
                evaluations=evaluations + step.evaluations,
                seconds=seconds + step.seconds,
            )
            steps.append(joined)
        if history.steps:
            evaluations, seconds = steps[-1].evaluations, steps[-1].seconds
    return TrainingHistory(steps=tuple(steps), ended=parts[-1][1].ended)
