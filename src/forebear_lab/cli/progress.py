"""What does a command print while it learns?"""

from time import monotonic
from typing import TYPE_CHECKING

from forebear.cli.options import print_message
from forebear.errors import InputError

if TYPE_CHECKING:
    from forebear.learning.dataset import FusionDataset, RankingDataset, TrainingStep

SECONDS_BETWEEN_MESSAGES = 2.0
QUERIES_TO_COMPILE = 20  # enough for every loop to be compiled


class LearningProgress:
    """Reports the progress of learning every few seconds."""

    def __init__(self, name: str = "") -> None:
        self._start = f"{name}, " if name else ""
        self._reported = monotonic()

    def __call__(self, step: "TrainingStep") -> None:
        """Report a step, unless another was reported just before."""
        if monotonic() - self._reported >= SECONDS_BETWEEN_MESSAGES:
            self._reported = monotonic()
            print_message(
                f"{self._start}{step.move}: {step.train:.5f} after {step.evaluations:,} evaluations"
            )


def few_useful(data: "RankingDataset | FusionDataset") -> list[int]:
    """Return a few queries that have a relevant document."""
    import numpy as np

    step = (data.offsets.size - 1) // max(1, len(data.query_ids))  # lists a query
    places = np.flatnonzero(data.labels)
    queries = np.unique((np.searchsorted(data.offsets, places, side="right") - 1) // max(1, step))
    if not queries.size:
        raise InputError("nothing is relevant in any query, so there is nothing to learn from")
    return [int(query) for query in queries[:QUERIES_TO_COMPILE]]
