"""The best step of one list's shift, found exactly: the line search for fusion.

In bits a list's shift moves its records together, so along one shift the NDCG of the fused
list is a staircase, and every stair is looked at (`kernels/fused_line.py`).  Where each
relevant record stands in each list is kept, so a search looks at one list only.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.learning.dataset import FusionDataset
from forebear.learning.fused_scores import FusedScores
from forebear_lab.kernels.fused import fused_line, fused_values, recount
from forebear_lab.kernels.lines import choose_border

REACH = 2.0  # spreads of the scores to either side
SPREAD_SAMPLE = 1_000_000  # records, from which the spread is taken


class FusedLineSearch:
    """A dataset's lists under shifts, one row for all queries or one for each."""

    def __init__(
        self,
        dataset: FusionDataset,
        shifts: NDArray[np.float64],
        *,
        cutoff: int,
        bins: int = 512,
    ) -> None:
        self._data = FusedScores(dataset, cutoff=cutoff)
        self._bins = bins
        self.shifts = np.array(np.atleast_2d(shifts), np.float64)
        self.everywhere = np.arange(self._data.relevant.size)
        queries = self._data.cells // len(dataset.list_names)
        self._worths = self._data.gains / self._data.ideals[queries]
        self._above = np.zeros((queries.size, len(dataset.list_names)), np.int64)
        self._tied = np.zeros_like(self._above)
        lists = self._data.cells % len(dataset.list_names)
        own = self._data.firsts - dataset.offsets[self._data.cells]
        self._above[self.everywhere, lists] = own
        self._tied[self.everywhere, lists] = self._data.ties
        self._recount(self.everywhere, -1)
        self.spread = float(dataset.scores[:SPREAD_SAMPLE].std()) or 1.0

    @property
    def value(self) -> float:
        """Return the mean NDCG, expected over ties."""
        return self._sum(self.everywhere) / len(self._data.dataset.query_ids)

    def numbers_of(self, queries: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the relevant records, by number, of the queries that are marked."""
        owners = self._data.cells // len(self._data.dataset.list_names)
        return np.flatnonzero(queries[owners])

    def best_step(
        self,
        name: int,
        numbers: NDArray[np.int64],
        *,
        smoothing: float = 0.0,
        pull: float = 0.0,
        toward: float = 0.0,
    ) -> tuple[float, float]:
        """Return the best step of a list, for the queries of these records, and its gain.

        The gain is of the mean NDCG over all queries.  ``smoothing`` is half the width of the
        window over which NDCG is averaged, in spreads.  ``pull`` is what a squared distance of
        1 from the value that lies ``toward`` from here costs, in mean NDCG.
        """
        width = 2 * REACH * self.spread / self._bins
        low = (0.5 - self._bins / 2) * width
        values = fused_line(
            self._data.scores,
            self._data.dataset.offsets,
            self._data.relevant,
            self._data.cells,
            self._worths,
            self._above,
            self._tied,
            self._data.discounts,
            self.shifts,
            numbers,
            name,
            low,
            width,
            self._bins,
            self._data.cutoff,
        )
        count = len(self._data.dataset.query_ids)
        if pull:
            steps = low + width * np.arange(self._bins)
            values -= pull * count * ((steps - toward) ** 2 - toward**2)
        half = round(smoothing / (2 * REACH) * self._bins)
        border, gain = choose_border(values, half, 0, self._bins, self._sum(numbers))
        return low + border * width, float(gain) / count

    def take(self, name: int, step: float, numbers: NDArray[np.int64]) -> None:
        """Move a list by a step, in the queries of these records."""
        if self.shifts.shape[0] == 1:
            self.shifts[0, name] += step
        else:
            rows = np.unique(self._data.cells[numbers] // len(self._data.dataset.list_names))
            self.shifts[rows, name] += step
        self._recount(numbers, name)

    def _recount(self, numbers: NDArray[np.int64], moved: int) -> None:
        recount(
            self._data.scores,
            self._data.dataset.offsets,
            self._data.relevant,
            self._data.cells,
            self.shifts,
            numbers,
            moved,
            self._above,
            self._tied,
        )

    def _sum(self, numbers: NDArray[np.int64]) -> float:
        return float(
            fused_values(self._worths, self._above, self._tied, self._data.discounts, numbers)
        )
