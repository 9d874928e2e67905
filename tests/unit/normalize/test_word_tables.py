"""Tests for the tables of surnames."""

from forebear.normalize.surname_forms import (
    gendered_surnames,
    surname_translations,
    surname_variants,
)


def test_surnames_have_spellings_translations_and_genders() -> None:
    assert "johnsen" in surname_variants("johnson")
    assert "johnson" not in surname_variants("johnson")
    assert "schmidt" in surname_translations("Smith".lower())
    assert {"kowalska"} <= gendered_surnames("kowalski")
    assert surname_variants("zzz") == surname_translations("zzz") == frozenset()
