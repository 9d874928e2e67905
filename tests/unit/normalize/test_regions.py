"""Tests for `forebear.normalize.regions`."""

import pytest

from forebear.normalize.regions import (
    codes_named,
    country_named,
    county_around,
    has_states,
    is_british,
    region_coded,
    region_named,
    regions_named,
)
from forebear.tables import read_table

ROWS = read_table("normalize/places/regions")


def country_of(code: str) -> str:
    region = region_coded(code)
    return region.country if region else ""


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("U.S.A.", "united states"),
        ("Holland", "netherlands"),
        ("NIR", "ireland"),
        ("Northern Ireland", "ireland"),
        ("Allemagne", "germany"),
        ("Georgia", None),  # the state
        ("sct", None),  # a code is three capitals
        ("Suffolk", None),
    ],
)
def test_a_country_is_known_by_name_abbreviation_and_code(text: str, country: str | None) -> None:
    assert country_named(text) == country


@pytest.mark.parametrize(
    ("text", "country", "name"),
    [
        ("Wilts", "", "Wiltshire"),
        ("N.Y.", "united states", "New York"),
        ("Suffolk", "united states", None),
        ("Glamorgan", "england", "Glamorgan"),
        ("Ida. Terr.", "", "Idaho Territory"),
        ("Kent Territory", "", None),
        ("Bayern", "", None),  # a province
    ],
)
def test_a_county_or_state_is_one_of_the_country(text: str, country: str, name: str | None) -> None:
    region = region_named(text, country=country)

    assert (region.name if region else None) == name


def test_a_name_of_several_regions_has_them_in_the_order_of_the_table() -> None:
    assert [region.kind for region in regions_named("Georgia")] == ["state", "country"]
    assert codes_named("Georgia") == {"US", "GE"}


def test_a_riding_and_a_modern_county_lie_in_the_old_one() -> None:
    assert county_around("West Riding") == county_around("south yorkshire") == "yorkshire"
    assert county_around("Yorkshire") is None


def test_countries_differ_in_what_lies_between_them_and_a_town() -> None:
    assert [name for name in ("england", "isle of man", "france") if is_british(name)] == [
        "england",
        "isle of man",
    ]
    assert has_states("germany")
    assert not has_states("england")


def test_chapman_codes_are_three_capitals_each_used_once() -> None:
    codes = [row["code"] for row in ROWS if row["kind"] != "state" and row["code"]]

    assert len(set(codes)) == len(codes)
    assert all(len(code) == 3 and code.isupper() for code in codes)


def test_every_region_lies_in_one_of_the_table() -> None:
    names = {row["name"] for row in ROWS}

    assert {row["within"] for row in ROWS if row["within"]} <= names
    assert all(row["within"] for row in ROWS if row["kind"] in ("county", "state"))


@pytest.mark.parametrize(
    ("country", "counties"), [("England", 41), ("Wales", 13), ("Scotland", 33), ("Ireland", 32)]
)
def test_every_historic_county_has_a_code(country: str, counties: int) -> None:
    rows = [row for row in ROWS if row["kind"] == "county" and row["code"]]

    assert sum(country_of(row["code"]) == country.lower() for row in rows) >= counties
