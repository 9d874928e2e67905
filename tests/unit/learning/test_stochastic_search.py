"""Tests for `forebear.learning.stochastic_search`."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import ArrayLike

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset
from forebear.learning.fused_scores import FusedScores
from forebear.learning.history import TrainingStep
from forebear.learning.stochastic_search import StochasticSearch

NAMES = ("baptism", "burial", "census")


def lists_of_unlike_scale(seed: int, queries: int = 150) -> FusionDataset:
    """Make lists of which the second is scored 4 bits too high."""
    random = np.random.default_rng(seed)

    def one_list(error: float) -> tuple[ArrayLike, ArrayLike]:
        labels = (random.random(20) < 0.08).astype(np.int64)
        return 2.5 * labels + random.normal(size=20) + error, labels

    errors = dict(zip(NAMES, (0.0, 4.0, 1.0), strict=True))
    return FusionDataset.from_lists(
        NAMES,
        [
            (f"q{n}", {name: one_list(error) for name, error in errors.items()})
            for n in range(queries)
        ],
    )


def test_the_shifts_improve_on_raw_scores_for_unseen_queries() -> None:
    weights, _ = StochasticSearch(seed=1).fit(lists_of_unlike_scale(1))

    test = FusedScores(lists_of_unlike_scale(2))
    learned = test.value(np.array(list(weights.shifts.values())))
    assert learned > test.value(np.zeros(3)) + 0.1
    assert weights.shifts["burial"] == pytest.approx(-4, abs=1)


def test_the_first_list_stays_where_it_is() -> None:
    weights, _ = StochasticSearch(seed=1).fit(lists_of_unlike_scale(1))

    assert list(weights.shifts) == list(NAMES)
    assert weights.shifts["baptism"] == 0.0


def test_the_history_tells_the_starts_every_move_and_the_final_value() -> None:
    lists = lists_of_unlike_scale(3)

    weights, history = StochasticSearch(seed=1).fit(lists)

    moves = [step.move for step in history.steps]
    final = FusedScores(lists).value(np.array(list(weights.shifts.values())))
    assert moves[:2] == ["raw", "rank_svm"]
    assert set(moves[2:]) <= {"reflect", "expand", "contract", "shrink"}
    assert history.last.train == pytest.approx(final, abs=1e-9)
    assert history.last.train >= max(step.train for step in history.steps[:2])
    assert history.ended == "stagnation"


def test_the_same_seed_gives_the_same_shifts() -> None:
    lists = lists_of_unlike_scale(4, queries=40)

    first, again = (StochasticSearch(seed=5).fit(lists)[0] for _ in range(2))

    assert first == again


def test_a_common_shift_of_all_lists_changes_no_value() -> None:
    scores = FusedScores(lists_of_unlike_scale(5))
    shifts = np.array([0.5, -3.25, 1.0])

    assert scores.value(shifts + 2) == pytest.approx(scores.value(shifts), abs=1e-6)


def positive_lists(seed: int) -> FusionDataset:
    """Make lists of positive scores of which the second is scored 16 times too high."""
    lists = lists_of_unlike_scale(seed)
    return replace(lists, scores=np.exp2(lists.scores))


def test_positive_scores_are_multiplied_by_weights_as_published() -> None:
    weights, history = StochasticSearch(seed=1, scale="weights").fit(positive_lists(1))

    test = FusedScores(positive_lists(2))
    powers = np.exp2(weights.array(NAMES))
    assert test.weighted_value(powers) > test.weighted_value(np.ones(3)) + 0.1
    assert history.steps[0].train == FusedScores(positive_lists(1)).weighted_value(np.ones(3))
    assert history.ended == "stagnation"


def test_weights_do_not_multiply_scores_of_any_sign() -> None:
    with pytest.raises(InputError, match="weights multiply only scores above 0"):
        StochasticSearch(seed=1, scale="weights").fit(lists_of_unlike_scale(1))


def test_every_evaluation_is_told() -> None:
    told: list[TrainingStep] = []

    _, history = StochasticSearch(seed=1).fit(lists_of_unlike_scale(1), progress=told.append)

    assert len(told) == history.last.evaluations
    assert [step.evaluations for step in told] == list(range(1, len(told) + 1))


def test_shifts_for_other_lists_are_refused() -> None:
    with pytest.raises(InputError, match="2 shifts for 3 lists"):
        FusedScores(lists_of_unlike_scale(1, queries=2)).value(np.zeros(2))


def test_a_dataset_without_queries_is_refused() -> None:
    with pytest.raises(InputError, match="without queries or lists"):
        FusedScores(FusionDataset.from_lists(NAMES, []))
