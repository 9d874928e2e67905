"""What came of learning a model: its version, whether searches use it, and how it was compared."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

# A search must be quick to start, and learns nothing.
if TYPE_CHECKING:
    from forebear.learning.agreement import AgreementEstimate
    from forebear.learning.trial import Trial


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """A model learned from what people attached."""

    version: str  # under which the archive stores it
    promoted: bool  # whether searches use it from now on
    trial: "Trial"  # how it was learned, and how it compares on searches held out
    repeated: int = 0  # logged searches of other clauses or lists that were made again
    skipped: int = 0  # those that could not be, and taught nothing

    @property
    def is_better(self) -> bool:
        """Return whether the model ranks the searches held out better than the one in use."""
        return self.trial.is_better

    @property
    def before(self) -> dict[str, float]:
        """Return measures of the model in use, on the searches held out."""
        return self.trial.before

    @property
    def after(self) -> dict[str, float]:
        """Return the same measures of the new model."""
        return self.trial.after


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A model estimated from how the records of the archive agree, without attachments."""

    version: str
    promoted: bool
    agreement: "AgreementEstimate"
