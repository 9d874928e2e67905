"""Tests for `forebear.normalize.surnames`: is this one surname or two?"""

import pytest

from forebear.normalize.surnames import split_surnames


@pytest.mark.parametrize(
    ("surname", "first", "second"),
    [
        ("barroso lopez", "barroso", "lopez"),
        ("barroso y lopez", "barroso", "lopez"),
        ("puig i cadafalch", "puig", "cadafalch"),
        ("da silva e costa", "da silva", "costa"),
        ("ruiz de apodaca y eliza", "ruiz de apodaca", "eliza"),
        ("de la cruz garcia", "de la cruz", "garcia"),
        ("garcia de la cruz", "garcia", "de la cruz"),
        ("mtnez. garcia", "mtnez", "garcia"),
        ("sá pereira", "sá", "pereira"),
        ("smith-jones", "smith", "jones"),
        ("smith - jones", "smith", "jones"),
        ("van der waals-de boer", "van der waals", "de boer"),
        ("puig-lopez garcia", "puig-lopez", "garcia"),
        ("o'brien smith", "o'brien", "smith"),
    ],
)
def test_two_surnames_are_words_with_their_particles(surname: str, first: str, second: str) -> None:
    assert split_surnames(surname) == (first, second)


@pytest.mark.parametrize(
    "surname",
    [
        *("lopez", "van der berg", "in 't veld", "von und zu guttenberg", "de la rue", "le blanc"),
        *("mac donald", "o brien", "st john", "saint-pierre", "al-rashid", "ap rhys", "ben david"),
        *("smith jr", "j. smith", "smith j", "b_ll smith", "smith or jones", "smith (jones)"),
        *("silva santos pereira", "costa e silva e souza", "e silva", "garcia y", "ccanto de"),
    ],
)
def test_everything_else_is_one_surname(surname: str) -> None:
    assert split_surnames(surname) == (surname, "")
