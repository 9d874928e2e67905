"""Tests for `forebear.normalize.gazetteer`."""

import pytest

from forebear.errors import InputError
from forebear.normalize.gazetteer import (
    Coordinates,
    Gazetteer,
    GazetteerEntry,
    PlaceName,
    distance_km,
    parse_coordinates,
)

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
