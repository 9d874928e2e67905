"""Which learners of record-specific weights are compared, under which names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from forebear.errors import InputError
from forebear.learning.coordinate_ascent import ClauseWeights, CoordinateAscent
from forebear.learning.dataset import RankingDataset
from forebear.learning.history import TrainingHistory
from forebear_lab.baselines.ranklib_ascent import RanklibAscent
from forebear_lab.learning.exact_ascent import ExactAscent


class WeightLearner(Protocol):
    """What learns a weight for each feature."""

    def fit(self, dataset: RankingDataset) -> tuple[ClauseWeights, TrainingHistory]:
        """Learn from judged lists."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsMethod:
    """A way of learning weights, by name."""

    name: str
    title: str
    make: Callable[[int], WeightLearner]


def _stepping(start: str, seed: int) -> WeightLearner:
    return CoordinateAscent(seed=seed, start=start)


def _exact(start: str, seed: int) -> WeightLearner:
    return ExactAscent(seed=seed, start=start)


def _methods() -> tuple[RecordsMethod, ...]:
    found = [
        RecordsMethod(
            name="ranklib",
            title="CA as RankLib 2.7 ships it, 5 restarts",
            make=lambda seed: RanklibAscent(seed=seed),
        )
    ]
    for start in ("uniform", "customized", "log_odds", "ridge"):
        said = {"uniform": "default start", "customized": "customized start"}.get(start, start)
        found.append(
            RecordsMethod(
                name=f"ca_{start}",
                title=f"CA, {said}",
                make=partial(_stepping, start),
            )
        )
    for start in ("uniform", "customized", "softmax"):
        found.append(
            RecordsMethod(
                name=f"exact_{start}",
                title=f"exact, {start} start",
                make=partial(_exact, start),
            )
        )
    return tuple(found)


RECORDS_METHODS: Mapping[str, RecordsMethod] = {method.name: method for method in _methods()}


def choose_records_methods(names: Sequence[str]) -> tuple[RecordsMethod, ...]:
    """Return the learners of these names; no name means all."""
    unknown = [name for name in names if name not in RECORDS_METHODS]
    if unknown:
        known = ", ".join(RECORDS_METHODS)
        raise InputError(f"no learner is called {unknown[0]!r}", hint=f"known: {known}")
    return tuple(RECORDS_METHODS[name] for name in names or RECORDS_METHODS)
