"""Tests for `forebear.normalize.stated_places`."""

import pytest

from forebear.normalize.stated_places import read_stated_place


@pytest.mark.parametrize(
    ("text", "levels", "country"),
    [
        ("York, WRY", "York > West Riding of Yorkshire", "GB"),
        ("Ballincollig, COR", "Ballincollig > Cork", "IE"),
        ("Omagh, TYR", "Omagh > Tyrone", "GB"),
        ("Douglas, IOM", "Douglas > Isle of Man", "IM"),
        ("Chicago, Cook Co., Ill.", "Chicago > Cook County > Illinois", "US"),
        ("Portland, Me.", "Portland > Maine", "US"),
        ("Victoria, B.C.", "Victoria > British Columbia", "CA"),
        ("of the parish of Layham, Suffolk", "Layham > Suffolk", "GB"),
        ("Ohio, Hamilton County, Cincinnati", "Cincinnati > Hamilton County > Ohio", "US"),
        ("Ireland, Cork, Ballyvourney", "Ballyvourney > Cork > Ireland", "IE"),
        ("Danzig (Gdańsk), Prussia", "Danzig > Prussia", ""),
        ("Prag, Bohemia", "Prag > Bohemia", "CZ"),
        ("Salt Lake City, Utah Territory", "Salt Lake City > Utah Territory", "US"),
        ("Zagreb, Yugoslavia", "Zagreb > Yugoslavia", ""),
        ("12, High St, Leeds, Yorkshire", "12 High Street > Leeds > Yorkshire", "GB"),
        ("St. Louis, Mo.", "Saint Louis > Missouri", "US"),
        ("Ste. Anne, Que.", "Sainte Anne > Québec", "CA"),
        ("Boston, Mass, U.S.A.", "Boston > Massachusetts > United States", "US"),
        ("Hull, E.R. Yorks", "Hull > East Riding of Yorkshire", "GB"),
    ],
)
def test_a_place_is_its_levels_small_to_large_and_their_country(
    text: str, levels: str, country: str
) -> None:
    place = read_stated_place(text)

    assert " > ".join(place.levels) == levels
    assert place.country == country


@pytest.mark.parametrize(
    "text",
    [
        "",
        "of this parish",
        "ditto",
        "at sea",
        "on the Atlantic Ocean",
        "SS Etruria",
        "not known",
        "?",
        "x" * 400,
    ],
)
def test_text_that_names_no_place_has_no_levels(text: str) -> None:
    assert read_stated_place(text).levels == ()


def test_second_names_are_kept_apart() -> None:
    assert read_stated_place("Kortrijk (Courtrai), België").other_names == ("Courtrai",)
    assert read_stated_place("Danzig/Gdańsk, Prussia").other_names == ("Gdańsk",)


@pytest.mark.parametrize(
    ("text", "levels", "country"),
    [
        ("Lyon, Rhône", "Lyon > Rhône", "FR"),
        ("of Kendal in the county of Westmorland", "Kendal > Westmorland", "GB"),
        ("Offenbach a. M., Hessen", "Offenbach am Main > Hessen", "DE"),
        ("Leipzig, Königreich Sachsen", "Leipzig > Königreich Sachsen", "DE"),
        ("Olten, Kanton Solothurn", "Olten > Kanton Solothurn", "CH"),
        ("Danzig, Kingdom of Prussia", "Danzig > Kingdom of Prussia", ""),
        ("Boise, Ida. Terr.", "Boise > Idaho Territory", "US"),
        ("Halle a. d. Saale, Sachsen", "Halle an der Saale > Sachsen", "DE"),
    ],
)
def test_provinces_and_realms_tell_their_country(text: str, levels: str, country: str) -> None:
    place = read_stated_place(text)

    assert (" > ".join(place.levels), place.country) == (levels, country)
