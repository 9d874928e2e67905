"""Tests for `forebear.learning.folds`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear.learning.folds import k_folds, split_groups

keys = st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=40).filter(
    lambda chosen: len(set(chosen)) > 1
)


@given(keys, st.floats(0.05, 0.95), st.integers(0, 1000))
def test_every_position_is_on_one_side_and_every_group_too(
    chosen: list[str], share: float, seed: int
) -> None:
    kept, held = split_groups(chosen, share, seed)

    assert sorted([*kept, *held]) == list(range(len(chosen)))
    assert {chosen[i] for i in kept}.isdisjoint({chosen[i] for i in held})
    assert len(kept)
    assert len(held)


def test_about_the_share_is_held_out() -> None:
    families = [f"family {number % 60}" for number in range(300)]

    _, held = split_groups(families, 1 / 3, seed=5)

    assert len(held) == 100


def test_the_seed_decides() -> None:
    families = [str(number) for number in range(50)]
    first, again, other = (split_groups(families, 0.3, seed)[1].tolist() for seed in (1, 1, 2))

    assert first == again
    assert first != other


@pytest.mark.parametrize("share", [0.0, 1.0, -0.5])
def test_a_share_of_nothing_or_all_is_refused(share: float) -> None:
    with pytest.raises(InputError, match="share to hold out"):
        split_groups(["a", "b"], share, seed=1)


def test_one_group_cannot_be_split() -> None:
    with pytest.raises(InputError, match="1 group"):
        split_groups(["a", "a"], 0.5, seed=1)


@given(keys, st.integers(2, 4), st.integers(0, 1000))
def test_every_position_is_held_out_in_one_fold_with_its_group(
    chosen: list[str], count: int, seed: int
) -> None:
    count = min(count, len(set(chosen)))

    folds = k_folds(chosen, count, seed)

    assert len(folds) == count
    assert sorted(place for _, held in folds for place in held) == list(range(len(chosen)))
    for kept, held in folds:
        assert len(held)
        assert {chosen[place] for place in kept}.isdisjoint({chosen[place] for place in held})


def test_folds_are_about_of_one_size() -> None:
    families = [f"family {number % 40}" for number in range(200)]

    assert [len(held) for _, held in k_folds(families, 4, seed=3)] == [50, 50, 50, 50]


@pytest.mark.parametrize("count", [1, 3])
def test_folds_without_a_group_each_are_refused(count: int) -> None:
    with pytest.raises(InputError, match="2 queries or groups of queries cannot make"):
        k_folds(["a", "b", "a"], count, seed=1)
