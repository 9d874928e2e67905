"""A learned fusion as a value: how the scores of each list become one fused score.

    score -> normalized, if it was learned so -> bits (log2 of it, where weights multiply)
          -> calibrated, if it was learned so -> plus the list's shift and its conditions

Where weights multiply and nothing is calibrated, the fused score is given as the paper has it,
weight * score; else in bits.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError, ModelError
from forebear.learning.calibrate import Calibration, QueryFacts, calibrated
from forebear.learning.dataset import FusionDataset
from forebear.learning.fused_scores import FusedScores
from forebear.learning.stochastic_search import Scale
from forebear_lab.learning.score_norms import Norm, normalize_list, normalize_lists, to_bits

Row = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFusion:
    """What becomes of one list's scores."""

    shift: float  # bits
    calibration: Calibration | None = None
    conditions: Mapping[str, float] = field(default_factory=dict)  # bits, by fact

    def moved(self, facts: Iterable[str]) -> float:
        """Return the list's shift in a query that has these facts."""
        return self.shift + sum(self.conditions.get(fact, 0.0) for fact in facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionModel:
    """How lists are fused, and what is told of how that was learned."""

    scale: Scale
    lists: Mapping[str, ListFusion]
    norm: Norm = "none"
    notes: Mapping[str, Any] = field(default_factory=dict)  # method, seed, measures ...

    def __post_init__(self) -> None:
        kinds = {one.calibration is None for one in self.lists.values()}
        if len(kinds) > 1:
            raise ModelError("some lists of the model are calibrated and some are not")

    @property
    def multiplies(self) -> bool:
        """Say whether the fused score is a weight times the score, as the paper has it."""
        return self.scale == "weights" and not self._calibrations()

    @property
    def shifts_bits(self) -> bool:
        """Say whether scores in bits are shifted, and nothing else is done to them."""
        return self.scale == "bits" and not self._calibrations()

    def fuse_list(self, name: str, scores: Row, facts: Iterable[str] = ()) -> Row:
        """Return the fused scores of one list's records for one query."""
        one = self._list(name)
        bits = self._bits(normalize_list(scores, self.norm))
        fused = (one.calibration.bits(bits) if one.calibration else bits) + one.moved(facts)
        return np.exp2(fused) if self.multiplies else fused

    def value(
        self, dataset: FusionDataset, facts: QueryFacts | None = None, *, cutoff: int = 100
    ) -> float:
        """Return the mean NDCG of the dataset's lists fused by this model."""
        return FusedScores(self.prepare(dataset), cutoff=cutoff).value(self.rows(dataset, facts))

    def prepare(self, dataset: FusionDataset) -> FusionDataset:
        """Return the dataset's scores in bits, ready for the shifts."""
        ready = normalize_lists(dataset, self.norm)
        if self.scale == "weights":
            ready = to_bits(ready)
        lines = self._calibrations()
        return calibrated(ready, lines) if lines else ready

    def rows(self, dataset: FusionDataset, facts: QueryFacts | None = None) -> Row:
        """Return the shifts of the dataset's lists: one row, or with facts one a query."""
        lists = [self._list(name) for name in dataset.list_names]
        shifts = np.array([[one.shift for one in lists]], np.float64)
        if facts is None or not any(one.conditions for one in lists):
            return shifts
        table = [[one.conditions.get(fact, 0.0) for one in lists] for fact in facts.names]
        moves = np.array(table, np.float64).reshape(len(facts.names), len(lists))
        return shifts + facts.values.astype(np.float64) @ moves

    def with_notes(self, **notes: Any) -> Self:
        """Return the model with more told of it."""
        return replace(self, notes={**self.notes, **notes})

    def _list(self, name: str) -> ListFusion:
        if name not in self.lists:
            known = ", ".join(self.lists)
            raise ModelError(f"the model knows no list {name!r}", hint=f"it knows {known}")
        return self.lists[name]

    def _calibrations(self) -> dict[str, Calibration]:
        return {name: one.calibration for name, one in self.lists.items() if one.calibration}

    def _bits(self, scores: Row) -> Row:
        if self.scale == "bits":
            return scores
        if scores.size and scores.min() <= 0:
            raise InputError(
                f"a score is {scores.min()}, and weights multiply only scores above 0",
                hint="the model was learned from positive scores",
            )
        return np.asarray(np.log2(scores), np.float64)
