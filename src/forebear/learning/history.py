"""What happened during training: how good it was after each move, and what it had cost."""

from dataclasses import dataclass


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
