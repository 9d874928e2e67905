"""Tests for `forebear.normalize.places`."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.normalize.place_levels import (
    ancestor_ids,
    ids_by_level,
    place_id,
    place_words,
    renamed,
)
from forebear.normalize.places import PlaceReading, read_place
from forebear.records.record import Place

place_texts = st.text(max_size=30) | st.lists(
    st.sampled_from(
        [
            "St Mary",
            "Leeds",
            "WRY",
            "Yorkshire",
            "England",
            "UK",
            "INC",
            "-",
            "14",
            "Co. Cork",
            "near York",
            "USA",
            "Ohio",
            "Québec",
        ]
    ),
    max_size=5,
).map(", ".join)


def levels(*parts: str, country: str = "") -> tuple[str, ...]:
    place = read_place(*parts, country=country).place
    return place.levels if place else ()


def the_place(*parts: str) -> Place:
    place = read_place(*parts).place
    assert place is not None
    return place


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (
            ("St Mary", "Midsomer Norton", "SOM"),
            ("saint mary", "midsomer norton", "somerset", "england"),
        ),
        (("Layham, Suffolk, England",), ("layham", "suffolk", "england")),
        (("Layham", "Suffolk"), ("layham", "suffolk", "england")),
        (("Boston,,Massachusetts,",), ("boston", "massachusetts", "united states")),
        (("Salisbury, Wilts, England",), ("salisbury", "wiltshire", "england")),
        (("Cardiff", "GLA"), ("cardiff", "glamorgan", "wales")),
        (("Hawick", "ROX"), ("hawick", "roxburghshire", "scotland")),
        (("Swords", "DUB"), ("swords", "dublin", "ireland")),
        (("Saint Helier", "JSY"), ("saint helier", "jersey", "channel islands")),
        (("Douglas", "IOM"), ("douglas", "isle of man")),
        (("", "SCT"), ("scotland",)),
        (("Germany", "OVF"), ("germany",)),
        (("Albany, NY, U.S.A.",), ("albany", "new york", "united states")),
        (("12 High Street, Leeds",), ("12 high street", "leeds")),
        (("14, Rue de la Paix, Paris, France",), ("14 rue de la paix", "paris", "france")),
        (("England, Yorkshire, Leeds",), ("leeds", "yorkshire", "england")),
        (("near Leeds, Yorkshire",), ("leeds", "yorkshire", "england")),
        (
            ("Much Wymondley [Great Wymondley]", "HRT"),
            ("much wymondley", "hertfordshire", "england"),
        ),
        (("N.Petherwin", "CON"), ("north petherwin", "cornwall", "england")),
        (("Week St Mary", "CON"), ("week saint mary", "cornwall", "england")),
        (("Fore St", "Fowey", "CON"), ("fore street", "fowey", "cornwall", "england")),
        (("Newcastle-upon-Tyne", "NBL"), ("newcastle-upon-tyne", "northumberland", "england")),
        (("Cam", "GLS"), ("cam", "gloucestershire", "england")),
    ],
)
def test_a_place_is_its_levels_from_small_to_large(
    parts: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    assert levels(*parts) == expected


@pytest.mark.parametrize(
    "parts",
    [
        (),
        ("",),
        ("-", "INC"),
        ("-", "OUC"),
        ("", "UNK"),
        ("OVB",),
        ("Not Given", "UNK"),
        ("N K",),
        ("?",),
        ("of this parish",),
        ("otp",),
        ("do.",),
        ("at sea",),
        ("on board the SS Orient",),
    ],
)
def test_what_names_no_place_is_none(parts: tuple[str, ...]) -> None:
    assert read_place(*parts).place is None
    assert read_place(*parts, country="England").place is None


@pytest.mark.parametrize(
    ("parts", "country", "expected"),
    [
        (("Plymouth",), "England", ("plymouth", "england")),
        (("Albany", "New York"), "USA", ("albany", "new york", "united states")),
        (("Cardiff", "Glamorgan"), "England", ("cardiff", "glamorgan", "wales")),
        (("Boston", "Suffolk"), "United States", ("boston", "suffolk", "united states")),
        (("Cork, Ireland",), "England", ("cork", "ireland")),
        (("Lima",), "Perú", ("lima", "perú")),
    ],
)
def test_the_country_is_added_where_none_is_named_or_told(
    parts: tuple[str, ...], country: str, expected: tuple[str, ...]
) -> None:
    assert levels(*parts, country=country) == expected


def test_the_words_of_a_place_are_kept() -> None:
    assert (
        the_place("St Mary", "", "Midsomer Norton", "SOM").text == "St Mary, Midsomer Norton, SOM"
    )


def test_the_id_of_a_place_is_its_levels_upward() -> None:
    place = the_place("Layham", "SFK")

    assert place_id(place.levels) == "p:layham,suffolk,england"
    assert ancestor_ids(place) == ("p:layham,suffolk,england", "p:suffolk,england", "p:england")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Leeds, WRY", "Leeds, Yorkshire, England"),
        ("Leeds, West Riding, Yorkshire", "Leeds, Yorkshire"),
        ("Leeds, Yorkshire, England, UK", "Leeds, YKS"),
        ("Leeds, Yorkshire, United Kingdom", "Leeds, YKS"),
        ("Clonmel, Co. Tipperary", "Clonmel, TIP"),
        ("Ste-Anne, Québec, Canada", "Sainte Anne, Quebec"),
        ("St. Blazey, CON", "Saint Blazey, Cornwall"),
        ("St Mary’s, Bath, SOM", "St. Mary's, Bath, Somerset"),
        ("Newcastle-upon-Tyne, NBL", "Newcastle upon Tyne, Northumberland, England"),
        ("Belfast, Antrim, Northern Ireland", "Belfast, ANT"),
    ],
)
def test_spellings_of_one_place_share_an_id(one: str, other: str) -> None:
    assert ancestor_ids(the_place(one)) == ancestor_ids(the_place(other))


def test_a_town_and_its_county_of_the_same_name_differ() -> None:
    assert ancestor_ids(the_place("Durham", "DUR"))[:2] == (
        "p:durham,durham,england",
        "p:durham,england",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "St Mary, Midsomer Norton, SOM",
            {
                "country": "p:england",
                "county": "p:somerset,england",
                "town": "p:midsomer norton,somerset,england",
            },
        ),
        (
            "12 Elm St, Brooklyn, Kings, New York, USA",
            {
                "country": "p:united states",
                "state": "p:new york,united states",
                "county": "p:kings,new york,united states",
                "town": "p:brooklyn,kings,new york,united states",
            },
        ),
        ("Plymouth, England", {"country": "p:england", "town": "p:plymouth,england"}),
        ("Cork, Ireland", {"country": "p:ireland", "county": "p:cork,ireland"}),
        ("Germany", {"country": "p:germany"}),
        (
            "Linz, Oberösterreich, Österreich",
            {
                "country": "p:osterreich",
                "county": "p:oberosterreich,osterreich",
                "town": "p:linz,oberosterreich,osterreich",
            },
        ),
        ("Sedbergh", {}),
    ],
)
def test_levels_are_named_by_the_scheme_of_the_country(text: str, expected: dict[str, str]) -> None:
    assert ids_by_level(the_place(text)) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("St Mary, Midsomer Norton, SOM", ("saint", "mary", "midsomer", "norton", "somerset")),
        ("near Collierley & Pontop", ("collierley", "pontop")),
        ("in the parish of Stoke upon Trent", ("stoke", "upon", "trent")),
        ("York, York", ("york",)),
        ("INC", ()),
        ("", ()),
    ],
)
def test_the_words_of_a_place_tell_it_apart(text: str, words: tuple[str, ...]) -> None:
    assert place_words(text) == words


@given(place_texts)
def test_any_text_gives_levels_and_ids_that_hang_together(text: str) -> None:
    place = read_place(text).place

    assert place_words(text) == tuple(dict.fromkeys(place_words(text)))
    if place:
        ids = ancestor_ids(place)
        assert place.levels
        assert all(place.levels)
        assert ids[0] == place_id(place.levels)
        assert all(identity.isascii() and identity.startswith("p:") for identity in ids)
        assert set(ids_by_level(place).values()) <= set(ids)


@pytest.mark.shared
def test_every_county_code_of_the_census_is_known(shared_data: Path) -> None:
    path = shared_data / "records" / "freecen" / "census.csv"
    with path.open(encoding="utf-8", newline="") as file:
        codes = {row["birth_county"] for row in csv.DictReader(file)}

    nowhere = {code for code in codes if read_place(code).place is None}
    unknown = {code for code in codes - nowhere if not ids_by_level(the_place(code))}

    assert nowhere == {"", "INC", "OUC", "OVF", "OVB", "UNK"}
    assert unknown == set()


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
        ("Stornoway, WIS", "Stornoway > Western Isles", "GB"),
        ("Leeds, WRY, YKS, ENG", "Leeds > West Riding of Yorkshire > Yorkshire > England", "GB"),
        ("Berlin, ALLEMAGNE", "Berlin > ALLEMAGNE", "DE"),
    ],
)
def test_levels_keep_the_words_of_the_text_and_tell_their_country(
    text: str, levels: str, country: str
) -> None:
    reading = read_place(text)

    assert " > ".join(reading.levels_as_written) == levels
    assert reading.country_code == country


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
    assert read_place(text) == PlaceReading()


def test_second_names_are_kept_apart() -> None:
    assert read_place("Kortrijk (Courtrai), België").other_names == ("Courtrai",)
    assert read_place("Danzig/Gdańsk, Prussia").other_names == ("Gdańsk",)


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
    reading = read_place(text)

    assert (" > ".join(reading.levels_as_written), reading.country_code) == (levels, country)


@pytest.mark.parametrize(
    ("text", "code", "is_ambiguous"),
    [
        ("Atlanta, Georgia", "US", True),  # or Georgia in the Caucasus
        ("Atlanta, Georgia, USA", "US", False),
        ("Hasselt, Limburg", "", True),  # of the Netherlands or of Belgium
        ("Hasselt, Limburg, België", "BE", False),
        ("Leeds, Yorkshire", "GB", False),
    ],
)
def test_a_region_of_several_countries_is_ambiguous_unless_one_is_named(
    text: str, code: str, is_ambiguous: bool
) -> None:
    reading = read_place(text)

    assert (reading.country_code, reading.is_ambiguous) == (code, is_ambiguous)
    assert not read_place(text, country="United States").is_ambiguous


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Penn, Bucks", ("penn", "buckinghamshire", "england")),  # no Pennsylvania
        ("Ala, Sverige", ("ala", "sverige")),  # no Alabama
        ("New York, Altarnun", ("new york", "altarnun")),  # a farm in Cornwall
        ("Ship Inn, Fowey", ("ship inn", "fowey")),
        ("Brazacott B. School", ("brazacott b school",)),
        ("lost at sea", ()),
    ],
)
def test_an_abbreviation_is_one_only_where_it_can_be(text: str, expected: tuple[str, ...]) -> None:
    assert levels(text) == expected


def test_a_town_is_known_by_its_other_names() -> None:
    assert "danzig" in renamed("Gdańsk")
    assert renamed("Layham") == frozenset()


@pytest.mark.parametrize(
    ("text", "within", "expected"),
    [
        ("Devon", "SOM", ("devon", "england")),
        ("Wilts", "SOM", ("wiltshire", "england")),
        ("Exeter, Devon", "SOM", ("exeter", "devon", "england")),
        ("Co. Clare", "Cork, Ireland", ("county clare", "ireland")),
        ("Mass.", "Vermont", ("massachusetts", "united states")),
        ("Ohio", "SOM", ("ohio", "united states")),
        ("Wales", "SOM", ("wales",)),
        ("South Wales", "SOM", ("south wales", "wales")),
        ("Bayern", "Sachsen", ("bayern",)),
        ("France", "Ohio", ("france",)),
    ],
)
def test_a_region_named_alone_lies_where_it_lies(
    text: str, within: str, expected: tuple[str, ...]
) -> None:
    place = read_place(text, within=[within]).place

    assert place is not None
    assert place.levels == expected


@pytest.mark.parametrize(
    ("text", "within", "expected"),
    [
        ("Paulton", "SOM", ("paulton", "somerset", "england")),
        ("Clare", "SFK", ("clare", "suffolk", "england")),
        ("Washington", "Pennsylvania", ("washington", "pennsylvania", "united states")),
        ("Kent", "Connecticut", ("kent", "connecticut", "united states")),
        ("Sevilla", "Andalucía, España", ("sevilla", "andalucía", "españa")),
        ("Butler", "Pennsylvania", ("butler", "pennsylvania", "united states")),
    ],
)
def test_a_town_with_the_name_of_a_region_lies_in_the_register_s_county(
    text: str, within: str, expected: tuple[str, ...]
) -> None:
    place = read_place(text, within=[within]).place

    assert place is not None
    assert place.levels == expected


@pytest.mark.parametrize(
    "text",
    ["Veterinary Surgeon, Somerset", "Miner", "Coal Miner's Widow, DUR", "Farmer of 80 acres"],
)
def test_an_occupation_is_no_place(text: str) -> None:
    assert read_place(text).place is None


def test_an_occupation_before_a_town_is_left_out() -> None:
    assert levels("Labourer, Frome, Somerset") == ("frome", "somerset", "england")


@pytest.mark.parametrize("text", ["Butcher Row", "Buckland Brewer House", "Gent", "Saint Baker"])
def test_a_place_named_after_a_trade_is_a_place(text: str) -> None:
    assert read_place(text).place is not None


@pytest.mark.parametrize("text", ["Suffolk", "Georgia", "Limburg", "York", "Luxembourg"])
def test_a_name_of_several_countries_is_ambiguous_until_one_is_named(text: str) -> None:
    assert read_place(text).is_ambiguous
    assert not read_place(text, country="England").is_ambiguous
    assert not read_place(text, within=["England"]).is_ambiguous


@pytest.mark.parametrize("text", ["Devonshire", "Mexico", "London", "Layham", "Ohio"])
def test_a_name_that_everybody_understands_is_not_ambiguous(text: str) -> None:
    assert not read_place(text).is_ambiguous
