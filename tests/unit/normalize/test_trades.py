"""Tests for `forebear.normalize.trades`: ordinary words."""

import pytest

from forebear.normalize.trades import is_person_noun, is_usual, usual_shares


@pytest.mark.parametrize("word", ["lapidary", "widower", "seamstress", "apprentice"])
def test_a_noun_for_a_person_is_a_usual_word_too(word: str) -> None:
    assert is_person_noun(word)
    assert is_usual(word)


@pytest.mark.parametrize("word", ["keeps", "drowned", "selling"])
def test_an_inflected_word_is_usual(word: str) -> None:
    assert is_usual(word)
    assert not is_person_noun(word)


@pytest.mark.parametrize("word", ["norton", "bath", "boston"])
def test_a_word_in_the_name_of_a_town_is_not_usual(word: str) -> None:
    assert not is_usual(word)


def test_shares_do_not_count_the_words_that_link_others() -> None:
    assert usual_shares("worked at a lodging") == (1.0, True)
    assert usual_shares("Bosham worked") == (0.5, True)
    assert usual_shares("12") == (0.0, False)
