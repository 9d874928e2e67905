"""Tests for `forebear.normalize.words`."""

import pytest

from forebear.normalize.regions import country_named
from forebear.normalize.words import Occupation, nation_of, occupations_of
from forebear.tables import read_table


@pytest.mark.parametrize(
    ("text", "name", "group"),
    [
        ("Ag Lab", "farm laborer", "agriculture"),
        ("Cordwainer", "shoemaker", "clothing"),
        ("Master Tailor (employing 3 men)", "tailor", "clothing"),
        ("Farmer of 120 acres", "farmer", "agriculture"),
        ("apprentice joiner", "carpenter", "building"),
        ("marine store dealer", "marine store dealer", "trade"),
        ("moon gazer", "moon gazer", ""),
    ],
)
def test_a_occupation_is_known_by_one_word_and_its_group(text: str, name: str, group: str) -> None:
    assert occupations_of(text) == (Occupation(name, group),)


def test_several_occupations_are_several() -> None:
    assert [occupation.name for occupation in occupations_of("farmer; publican")] == [
        "farmer",
        "innkeeper",
    ]
    assert occupations_of("") == ()


def test_no_word_means_two_occupations() -> None:
    words = [
        word
        for row in read_table("normalize/words/occupations")
        for word in {row["occupation"], *row["synonyms"].split("|")} - {""}
    ]

    assert sorted({word for word in words if words.count(word) > 1}) == []


def test_a_nation_is_named_by_its_people_or_itself() -> None:
    assert nation_of("Scotch") == nation_of("SCOTLAND") == "scotland"
    assert nation_of("Martian") == ""


def test_every_nation_of_the_table_is_a_country() -> None:
    named = [row["country"] for row in read_table("normalize/words/nationalities")]

    assert [name for name in named if country_named(name) is None] == []
