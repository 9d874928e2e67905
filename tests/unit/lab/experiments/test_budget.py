"""Tests for `forebear_lab.experiments.budget`."""

import time
from itertools import pairwise
from pathlib import Path

import pytest

from forebear_lab.baselines.maven import LimitError, NotRunError
from forebear_lab.experiments.budget import Budget, measure_within, run_within, sample_sizes
from forebear_lab.experiments.parts import Part


def test_sizes_are_halved_down_to_the_smallest() -> None:
    sizes = sample_sizes(20_000)

    assert sizes[0] == 20_000
    assert 300 <= sizes[-1] < 600
    assert all(larger // 2 == smaller for larger, smaller in pairwise(sizes))


def test_a_quick_learner_sees_all_queries() -> None:
    part, size = measure_within(
        lambda size, is_trial: {"seconds": 1e-4 * size, "trial": is_trial},
        sample_sizes(4000),
        Budget(seconds=10),
    )

    assert (part["trial"], size) == (False, 4000)


def test_a_slow_learner_sees_the_largest_size_that_should_fit() -> None:
    # Its time grows with the square of the size: 1000 queries take 10 s, 2000 take 40.
    _, size = measure_within(
        lambda size, _: {"seconds": 1e-5 * size**2}, sample_sizes(8000), Budget(seconds=20)
    )

    assert size == 1000


def work(seconds: float) -> None:
    """Use CPU time, however busy the machine is."""
    while time.process_time() < seconds:
        pass


def test_a_learner_that_exceeds_its_time_after_all_gets_fewer_queries(tmp_path: Path) -> None:
    def compute(size: int, is_trial: bool) -> Part:
        (tmp_path / f"{size}_{is_trial}").touch()
        if not is_trial and size > 1000:
            work(60)
        return {"seconds": 1e-4 * size}

    _, size = measure_within(
        compute, sample_sizes(4000), Budget(seconds=0.6, scoring=0.0, whole=60)
    )

    assert size == 1000
    assert (tmp_path / "4000_False").exists()


def test_a_slow_learner_that_fits_once_is_run_once(tmp_path: Path) -> None:
    def compute(size: int, is_trial: bool) -> Part:
        (tmp_path / f"{size}_{is_trial}").touch()
        return {"seconds": 0.02 * size}

    part, size = measure_within(compute, sample_sizes(4000), Budget(seconds=15))

    assert (part["seconds"], size) == (10, 500)
    assert [path.name for path in tmp_path.iterdir()] == ["500_False"]  # twice would be 20 s


def test_time_for_scoring_is_no_time_for_training() -> None:
    def compute(size: int, is_trial: bool) -> Part:
        return {"seconds": 2.0 if size == 2000 else 0.5}

    _, size = measure_within(compute, [2000, 1000], Budget(seconds=1, scoring=60))

    assert size == 1000


def test_a_learner_too_slow_for_the_smallest_size_exceeds_its_limit() -> None:
    def compute(size: int, is_trial: bool) -> Part:
        work(60)
        return {}

    with pytest.raises(LimitError, match="of CPU for 500 queries"):
        measure_within(compute, [2000, 1000, 500], Budget(seconds=0.3, scoring=0.0))


def test_only_cpu_time_counts_as_the_time_of_a_learner() -> None:
    def wait() -> Part:
        time.sleep(1.5)
        return {"seconds": 0.0}

    assert run_within(wait, 1) == {"seconds": 0.0}


def test_a_learner_that_hangs_is_killed() -> None:
    def hang() -> Part:
        time.sleep(60)
        return {}

    began = time.monotonic()
    with pytest.raises(LimitError):
        run_within(hang, 1, patience=0.5)
    assert time.monotonic() - began < 30


def test_an_error_of_the_learner_is_its_reason() -> None:
    def fail() -> Part:
        raise ValueError("no such list")

    with pytest.raises(NotRunError, match="ValueError: no such list"):
        run_within(fail, 10)
