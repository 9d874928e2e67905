"""Tests for `forebear.normalize.places` and the rooms below it."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.normalize.places import (
    ancestor_ids,
    ids_by_level,
    parse_place,
    place_id,
    place_words,
)
from forebear.records.record import Place
from forebear.tables import read_table

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
    place = parse_place(*parts, country=country)
    return place.levels if place else ()


def the_place(*parts: str) -> Place:
    place = parse_place(*parts)
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
    assert parse_place(*parts) is None
    assert parse_place(*parts, country="England") is None


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
    place = parse_place(text)

    assert place_words(text) == tuple(dict.fromkeys(place_words(text)))
    if place:
        ids = ancestor_ids(place)
        assert place.levels
        assert all(place.levels)
        assert ids[0] == place_id(place.levels)
        assert all(identity.isascii() and identity.startswith("p:") for identity in ids)
        assert set(ids_by_level(place).values()) <= set(ids)


def test_chapman_codes_are_three_capitals_each_used_once() -> None:
    rows = read_table("normalize/chapman_codes")
    codes = [row["code"] for row in rows]
    countries = {row["country"] for row in read_table("normalize/countries")}

    assert len(set(codes)) == len(codes)
    assert all(len(code) == 3 and code.isupper() for code in codes)
    assert {row["country"] for row in rows} <= countries


@pytest.mark.parametrize(
    ("country", "counties"), [("England", 41), ("Wales", 13), ("Scotland", 33), ("Ireland", 32)]
)
def test_every_historic_county_has_a_code(country: str, counties: int) -> None:
    rows = [row for row in read_table("normalize/chapman_codes") if row["county"]]

    assert sum(row["country"] == country for row in rows) >= counties


@pytest.mark.shared
def test_every_county_code_of_the_census_is_known(shared_data: Path) -> None:
    path = shared_data / "records" / "freecen" / "census.csv"
    with path.open(encoding="utf-8", newline="") as file:
        codes = {row["birth_county"] for row in csv.DictReader(file)}

    nowhere = {code for code in codes if parse_place(code) is None}
    unknown = {code for code in codes - nowhere if not ids_by_level(the_place(code))}

    assert nowhere == {"", "INC", "OUC", "OVF", "OVB", "UNK"}
    assert unknown == set()


@pytest.mark.shared
def test_golden_places_have_their_levels_and_perhaps_the_country_they_tell(
    shared_data: Path,
) -> None:
    with (shared_data / "golden" / "places.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    wrong = [
        row["text"]
        for row in rows
        if row["levels"].lower()
        not in {" > ".join(levels(row["text"])), " > ".join(levels(row["text"])[:-1])}
    ]

    assert wrong == ["Frankfurt a. M., Hessen, Deutschland", "Phila., Pa."]
