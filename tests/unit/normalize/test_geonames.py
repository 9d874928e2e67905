"""Tests for `forebear.normalize.geonames`, on invented lines of its form."""

from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear.normalize.gazetteer import Coordinates
from forebear.normalize.geonames import match_geonames


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
    found = points(dump, "p:hadleigh,suffolk,england", "p:hadleigh,essex,england")

    assert found["p:hadleigh,essex,england"] == (51.55, 0.61)
    assert found["p:hadleigh,suffolk,england"] == (52.04, 0.95)  # the larger of two


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

    with pytest.raises(InputError, match="no line is of the form of GeoNames"):
        match_geonames(path, [])


def test_a_file_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        match_geonames(tmp_path / "nowhere.txt", [])
