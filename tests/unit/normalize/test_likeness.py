"""Tests for `forebear.normalize.likeness`."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.normalize.likeness import is_listed, looks_like_place, place_evidence
from forebear.normalize.places import read_place


@pytest.mark.parametrize(
    "text",
    [
        "Vitualer",  # misspelled
        "Jrneymn Shoemakr",  # abbreviated
        "keeps a small school",
        "Farmer occupying 40 acres",
        "fell from a scaffold and fractured his skull",
        "private baptism, born 8 Dec 1891",
        "7 weeks",
        "12 April 1861",
        "A. B.",
        "F 24",
        "3rd Earl of Oxford",
        "Soldiers (deserters)",
    ],
)
def test_what_clerks_write_beside_a_place_is_no_place(text: str) -> None:
    assert read_place(text, within=["SOM"]).place is None
    assert read_place(f"{text}, Somerset").place is None


@pytest.mark.parametrize(
    "text",
    [
        "Midsomer Norton",
        "M Norton",
        "33 Old Jewry",
        "17 Arthur-road",
        "St John the Evangelist",
        "Stuckey's Bank House",
        "Nether Wallop",
        "Krefeld-Uerdingen",
        "San Pedro de Larcay",
        "King of Prussia",
        "Washington D.C.",
        "Glasgow N.B.",
    ],
)
def test_names_of_places_are_places(text: str) -> None:
    assert read_place(text).place is not None


def test_a_material_after_a_trade_belongs_to_it() -> None:
    assert read_place("Miner, Copper").place is None
    assert read_place("Miner, Copperhouse").place is not None


def test_a_county_named_like_a_trade_lies_in_its_state() -> None:
    reading = read_place("Cooper, Missouri, USA")

    assert reading.levels_as_written == ("Cooper", "Missouri", "United States")


def test_a_listed_town_is_a_place_although_it_looks_like_something_else() -> None:
    assert is_listed("Inkster") == (place_evidence("Inkster") < 0)
    assert looks_like_place("Inkster")


@given(st.text(max_size=80))
def test_any_text_has_an_answer(text: str) -> None:
    assert looks_like_place(text) in (True, False)


@pytest.mark.shared
def test_the_judging_cells_are_read_as_well_as_when_the_table_was_fitted(shared_data: Path) -> None:
    from benchmarks.quality.place_cells import read_cells

    cells = [cell for cell in read_cells() if cell.half == "judging"]
    census = [cell for cell in cells if (cell.kind, cell.source) == ("occupation", "freecen")]
    places = [cell for cell in cells if cell.kind == "place"]

    assert sum(cell.is_right for cell in census) / len(census) >= 0.95
    assert sum(not cell.is_right for cell in places) / len(places) <= 0.01
