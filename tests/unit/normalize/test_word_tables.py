"""Tests for the tables of trades, nations, surnames and renamed places."""

import pytest

from forebear.normalize.nationalities import nation_of
from forebear.normalize.occupations import Occupation, occupations_of
from forebear.normalize.place_renames import other_names
from forebear.normalize.regions import country_named
from forebear.normalize.surname_forms import (
    gendered_surnames,
    surname_translations,
    surname_variants,
)
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
def test_a_trade_is_known_by_one_word_and_its_group(text: str, name: str, group: str) -> None:
    assert occupations_of(text) == (Occupation(name, group),)


def test_several_trades_are_several() -> None:
    assert [trade.name for trade in occupations_of("farmer; publican")] == ["farmer", "innkeeper"]
    assert occupations_of("") == ()


def test_no_word_means_two_trades() -> None:
    words = [
        word
        for row in read_table("normalize/occupations")
        for word in {row["occupation"], *row["synonyms"].split("|")} - {""}
    ]

    assert sorted({word for word in words if words.count(word) > 1}) == []


def test_a_nation_is_named_by_its_people_or_itself() -> None:
    assert nation_of("Scotch") == nation_of("SCOTLAND") == "scotland"
    assert nation_of("Martian") == ""


def test_every_nation_of_the_table_is_a_country() -> None:
    named = [row["country"] for row in read_table("normalize/nationalities")]

    assert [name for name in named if country_named(name) is None] == []


def test_surnames_have_spellings_translations_and_genders() -> None:
    assert "johnsen" in surname_variants("johnson")
    assert "johnson" not in surname_variants("johnson")
    assert "schmidt" in surname_translations("Smith".lower())
    assert {"kowalska"} <= gendered_surnames("kowalski")
    assert surname_variants("zzz") == surname_translations("zzz") == frozenset()


def test_a_town_is_known_by_its_other_names() -> None:
    assert "danzig" in other_names("Gdańsk")
    assert other_names("Layham") == frozenset()
