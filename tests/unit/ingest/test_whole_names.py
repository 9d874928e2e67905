"""Tests for `forebear.ingest.whole_names`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.ingest.whole_names import split_name

words = st.text("abcdefgxyzABC'-", min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("text", "given_name", "surname"),
    [
        ("Thomas Green", "Thomas", "Green"),
        ("Frederick John Verduzco", "Frederick John", "Verduzco"),
        ("Cordoba, Jhn", "Jhn", "Cordoba"),
        ("Jan van der Berg", "Jan", "van der Berg"),
        ("Van Morrison", "Van", "Morrison"),
        ("Thomas", "Thomas", ""),
        ("Mr Squire", "", "Squire"),
        ("Green,", "", "Green"),
        ("", "", ""),
    ],
)
def test_a_whole_name_is_split_before_the_surname(text: str, given_name: str, surname: str) -> None:
    name = split_name(text)

    assert (name.given, name.surname) == (given_name, surname)


@pytest.mark.parametrize("text", ["Rev. Thomas Green Jr", "Green, Rev. Thomas Jr"])
def test_titles_and_suffixes_are_neither_given_name_nor_surname(text: str) -> None:
    name = split_name(text)

    assert (name.title, name.given, name.surname, name.suffix) == ("Rev.", "Thomas", "Green", "Jr")


def test_a_suffix_after_a_comma_is_no_given_name() -> None:
    name = split_name("Thomas Green, Esq.")

    assert (name.given, name.surname, name.suffix) == ("Thomas", "Green", "Esq.")


@given(st.lists(words, max_size=6))
def test_no_word_of_a_name_is_lost(parts: list[str]) -> None:
    name = split_name(" ".join(parts))

    told = [name.title, name.given, name.surname, name.suffix]
    assert sorted(" ".join(told).split()) == sorted(parts)  # capitals may be a surname put first
