"""Tests for `forebear.search.terms.fields`."""

from forebear.search.terms.fields import field_of, has, term, terms, value_of


def test_a_term_is_its_field_and_its_value() -> None:
    assert term("birth.year", 1851) == "birth.year=1851"
    assert terms("birth.year", [1851, 1852]) == {"birth.year=1851", "birth.year=1852"}
    assert has("birth.year", "birth.date") == {"has=birth.year", "has=birth.date"}


def test_a_value_may_hold_the_sign_that_parts_it_from_its_field() -> None:
    assert field_of("record.text=a=b") == "record.text"
    assert value_of("record.text=a=b") == "a=b"
