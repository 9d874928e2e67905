"""Tests for `forebear.normalize.gazetteer`."""

from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear.normalize.gazetteer import (
    Coordinates,
    Gazetteer,
    GazetteerEntry,
    PlaceName,
    distance_km,
    is_place_table,
    match_geonames,
    match_place_table,
    parse_coordinates,
)
from forebear.normalize.place_levels import place_id
from forebear.normalize.places import read_place

LEEDS, BRADFORD, LONDON = "p:leeds", "p:bradford", "p:london"
GAZETTEER = Gazetteer(
    [
        GazetteerEntry(place_id=LEEDS, coordinates=Coordinates(53.80, -1.55)),
        GazetteerEntry(place_id=BRADFORD, coordinates=Coordinates(53.79, -1.75)),
        GazetteerEntry(place_id=LONDON, coordinates=Coordinates(51.51, -0.13)),
        GazetteerEntry(
            place_id="p:lviv",
            names=(
                PlaceName("Lemberg", "de", 1772, 1918),
                PlaceName("Lwów", "pl"),
                PlaceName("Lviv", "uk", 1991),
            ),
        ),
    ]
)


def test_places_near_another_come_nearest_first_with_itself_in_front() -> None:
    assert GAZETTEER.nearby(LEEDS, within_km=20) == (LEEDS, BRADFORD)
    assert GAZETTEER.nearby(LEEDS, within_km=500) == (LEEDS, BRADFORD, LONDON)
    assert GAZETTEER.nearby("p:lviv", within_km=20) == ()


def test_a_name_holds_in_its_years() -> None:
    assert GAZETTEER.places_named("lemberg") == ("p:lviv",)
    assert GAZETTEER.places_named("Lemberg", year=1850) == ("p:lviv",)
    assert GAZETTEER.places_named("Lemberg", year=1950) == ()
    assert GAZETTEER.places_named("LWOW", year=1950) == ("p:lviv",)


def test_half_the_equator_is_half_the_girth_of_the_earth() -> None:
    assert distance_km(Coordinates(0, 0), Coordinates(0, 180)) == pytest.approx(20015, abs=1)


@pytest.mark.parametrize(
    "text", ["53.8, -1.55", "N53.8 W1.55", "53.8N, 1.55W", "53°48' N, 1°33' W", "53.8;-1.55"]
)
def test_coordinates_are_read_however_they_are_written(text: str) -> None:
    assert parse_coordinates(text) == pytest.approx((53.8, -1.55))


@pytest.mark.parametrize("text", ["", "Leeds", "91, 0", "53.8 1.55 7", "0, 181"])
def test_what_is_no_place_on_earth_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_coordinates(text)


def line(
    name: str,
    kind: str,
    where: str,
    *,
    at: tuple[float, float] = (52.0, 1.0),
    others: str = "",
    population: int = 0,
    country: str = "GB",
) -> str:
    first, _, second = where.partition(".")
    cells = ["1", name, name, others, str(at[0]), str(at[1]), kind[0], kind[1:], country, ""]
    return "\t".join([*cells, first, second, "", "", str(population), "", "", "zone", "2020-01-01"])


LINES = [
    line("England", "AADM1", "ENG"),
    line("Wales", "AADM1", "WLS"),
    line("Suffolk", "AADM2", "ENG.N5", at=(52.2, 1.1)),
    line("Essex", "AADM2", "ENG.E4"),
    line("Layham", "PPPL", "ENG.N5", at=(52.03, 0.96), others="Leyham,Laiham", population=500),
    line("Hadleigh", "PPPL", "ENG.N5", at=(52.04, 0.95), population=8000),
    line("Hadleigh", "PPPL", "ENG.E4", at=(51.55, 0.61), population=18000),
    line("Hadleigh", "PPPL", "ENG.N5", at=(52.50, 1.50), population=9),
    line("Layham Hill", "THLL", "ENG.N5"),
    line("Kraków", "PPPLA", "77", at=(50.06, 19.94), others="Cracow,Krakau", country="PL"),
]


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "made.txt"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path


def points(dump: Path, *places: str) -> dict[str, Coordinates | None]:
    return {entry.place_id: entry.coordinates for entry in match_geonames(dump, places)[0]}


def test_a_place_is_found_where_it_is_said_to_lie(dump: Path) -> None:
    located = points(dump, "p:hadleigh,suffolk,england", "p:hadleigh,essex,england")

    assert located["p:hadleigh,essex,england"] == (51.55, 0.61)
    assert located["p:hadleigh,suffolk,england"] == (52.04, 0.95)  # the larger of two


@pytest.mark.parametrize(
    "place", ["p:layham,norfolk,england", "p:layham,wales", "p:layham", "p:layham hill,england"]
)
def test_a_place_elsewhere_or_nowhere_is_not_found(dump: Path, place: str) -> None:
    assert points(dump, place) == {}


def test_counties_and_countries_are_places_too(dump: Path) -> None:
    assert points(dump, "p:suffolk,england", "p:england").keys() == {
        "p:suffolk,england",
        "p:england",
    }


def test_other_names_are_kept_and_found_by(dump: Path) -> None:
    entries, report = match_geonames(dump, ["p:leyham,suffolk,england", "p:cracow,poland"])

    assert {e.place_id: sorted(n.name for n in e.names) for e in entries} == {
        "p:leyham,suffolk,england": ["laiham", "layham"],
        "p:cracow,poland": ["krakau", "krakow"],
    }
    assert (report.lines, report.refused, report.matched, report.places) == (10, 0, 2, 2)


def test_a_line_of_another_form_is_counted(dump: Path) -> None:
    broken = [line("X", "PPPL", "ENG", at=(99.0, 0.0)), "no columns", line("", "PPPL", "ENG")]
    dump.write_text("\n".join([*LINES, *broken]), encoding="utf-8")

    assert match_geonames(dump, [])[1].refused == 3


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")

    with pytest.raises(InputError, match="no line has the form of GeoNames"):
        match_geonames(path, [])


def test_a_file_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        match_geonames(tmp_path / "nowhere.txt", [])


def test_a_division_has_all_its_names(tmp_path: Path) -> None:
    path = tmp_path / "germany.txt"
    bavaria = line("Bavaria", "AADM1", "02", others="Bayern", country="DE")
    town = line("Zell", "PPPL", "02", at=(50.1, 11.8), population=2000, country="DE")
    path.write_text(f"{bavaria}\n{town}\n", encoding="utf-8")

    # Without the country the province decides, under any of its names and no other.
    assert points(path, "p:zell,bayern", "p:zell,baden") == {"p:zell,bayern": (50.1, 11.8)}


TABLE = """name,county,country,lat,lon,also
Layham,Suffolk,England,52.03,0.96,Leyham; Lelham
Layham,Norfolk,England,52.60,1.20,
Hadleigh,Suffolk,England,far,away,
"""


def ids(*texts: str) -> list[str]:
    return [place_id(place.levels) for text in texts if (place := read_place(text).place)]


def test_a_place_is_found_by_all_that_it_lies_in(tmp_path: Path) -> None:
    path = tmp_path / "places.csv"
    path.write_text(TABLE, "utf-8")
    wanted = ids("Layham, Suffolk, England", "Hadleigh, Suffolk, England")

    entries, report = match_place_table(path, wanted)

    assert [entry.place_id for entry in entries] == wanted[:1]
    assert entries[0].coordinates == (52.03, 0.96)
    assert [name.name for name in entries[0].names] == ["leyham", "lelham"]
    assert (report.lines, report.refused, report.matched, report.places) == (3, 1, 1, 2)


def test_a_table_is_known_by_its_headings(tmp_path: Path) -> None:
    path = tmp_path / "places.csv"
    path.write_text(TABLE, "utf-8")
    assert is_place_table(path)
    path.write_text("1\tLayham\tLayham\t\t52.0\t0.9\n", "utf-8")
    assert not is_place_table(path)
