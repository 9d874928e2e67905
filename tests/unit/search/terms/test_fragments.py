"""Tests for `forebear.search.terms.fragments`."""

import pytest

from forebear.search.terms import fragments
from forebear.search.terms.fragments import by_identity


def test_what_is_made_of_an_object_is_made_once() -> None:
    made: list[list[int]] = []

    def make(value: list[int]) -> list[int]:
        made.append(value)
        return [*value]

    remembered, one, other = by_identity(make), [1], [1]

    assert remembered(one) is remembered(one)
    assert remembered(other) is not remembered(one)
    assert made == [one, other]


def test_objects_come_and_go_without_one_standing_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fragments, "CACHED_VALUES", 3)
    remembered = by_identity(sum)

    assert [remembered([number]) for number in range(50)] == list(range(50))
