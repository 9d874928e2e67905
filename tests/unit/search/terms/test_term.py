"""Tests for `forebear.search.terms.term`."""

import pytest

from forebear.search.terms import term as term_module
from forebear.search.terms.term import by_identity, field_of, has, term, terms, value_of


def test_what_is_made_of_an_object_is_made_once() -> None:
    calls: list[list[int]] = []

    def make(value: list[int]) -> list[int]:
        calls.append(value)
        return [*value]

    remembered, one, other = by_identity(make), [1], [1]

    assert remembered(one) is remembered(one)
    assert remembered(other) is not remembered(one)
    assert calls == [one, other]


def test_objects_come_and_go_without_one_standing_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(term_module, "CACHED_VALUES", 3)
    remembered = by_identity(sum)

    assert [remembered([number]) for number in range(50)] == list(range(50))


def test_a_term_is_its_field_and_its_value() -> None:
    assert term("birth.year", 1851) == "birth.year=1851"
    assert terms("birth.year", [1851, 1852]) == {"birth.year=1851", "birth.year=1852"}
    assert has("birth.year", "birth.date") == {"has=birth.year", "has=birth.date"}


def test_a_value_may_hold_the_sign_that_parts_it_from_its_field() -> None:
    assert field_of("record.text=a=b") == "record.text"
    assert value_of("record.text=a=b") == "a=b"
