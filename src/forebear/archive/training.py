"""What came of learning a model: its version, whether searches use it, and how it was compared."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

# A search must be quick to start, and learns nothing.
if TYPE_CHECKING:
    from forebear.learning.agreement import AgreementEstimate
    from forebear.learning.evaluation import Evaluation
    from forebear.learning.train import Training as LearnedModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """A model learned from what people attached."""

    version: str  # under which the archive stores it
    promoted: bool  # whether searches use it from now on
    learned: "LearnedModel"
    evaluation: "Evaluation"
    repeated: int = 0  # logged searches of other clauses or lists that were made again
    skipped: int = 0  # those that could not be, and taught nothing

    @property
    def is_better(self) -> bool:
        """Return whether the model is better than the one in use by more than luck."""
        return self.evaluation.is_better

    @property
    def before(self) -> dict[str, float]:
        """Return measures of the model in use, on searches that neither was learned from."""
        comparison = self.evaluation.comparison
        return {} if comparison is None else comparison.before

    @property
    def after(self) -> dict[str, float]:
        """Return the same measures of models learned as the new one was."""
        comparison = self.evaluation.comparison
        return {} if comparison is None else comparison.after


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A model estimated from how the records of the archive agree, without attachments."""

    version: str
    promoted: bool
    agreement: "AgreementEstimate"
