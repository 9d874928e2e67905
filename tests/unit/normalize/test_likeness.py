"""Tests for `forebear.normalize.likeness`."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.normalize.likeness import (
    is_listed,
    lies_in,
    looks_like_place,
    place_evidence,
)
from forebear.normalize.places import read_place

PROBATE, CENSUS = ("occupation", "probate"), ("occupation", "freecen")


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


@pytest.mark.parametrize("text", ["Maker, Cornwall", "Porter, Maine"])
def test_a_name_like_a_trade_before_its_county_is_a_place(text: str) -> None:
    assert read_place(text).place is not None


def test_a_trade_before_a_county_is_none_although_another_country_has_a_town_of_it() -> None:
    assert lies_in("Driver", frozenset({"au"}))
    assert not lies_in("Driver", frozenset({"england"}))
    assert read_place("Driver, Somerset").place is None
    assert read_place("Driver, Australia").place is not None


def test_a_county_in_a_column_of_its_own_makes_a_place_likelier() -> None:
    assert read_place("Lanner, Cornwall").place is None
    assert read_place("Lanner", "CON").place is not None
    assert read_place("Coal Miner", "CON").place is None
    assert not looks_like_place("keeps a small school", with_county=True)


def test_lower_case_alone_is_no_sign_of_a_sentence() -> None:
    assert place_evidence("nether stowey") == place_evidence("Nether Stowey")
    assert place_evidence("keeps a shop") < place_evidence("Keeps A Shop")


@pytest.mark.parametrize("text", ["Hijo legítimo", "indios libres", "Española. Viuda", "don"])
def test_a_status_in_spanish_is_no_place(text: str) -> None:
    assert read_place(text).place is None
    assert read_place(text, within=["Lucanas, Perú"]).place is None


@pytest.mark.parametrize(
    ("name", "code"), [("Honduras", "HN"), ("Abyssinia", "ET"), ("Saint Lucia", "LC")]
)
def test_a_country_is_that_country_in_any_register(name: str, code: str) -> None:
    assert read_place(name, within=["SOM"]).country_code == code


def test_a_listed_town_is_a_place_although_it_looks_like_something_else() -> None:
    assert is_listed("Inkster") == (place_evidence("Inkster") < 0)
    assert looks_like_place("Inkster")


@given(st.text(max_size=80))
def test_any_text_has_an_answer(text: str) -> None:
    assert looks_like_place(text) in (True, False)


@pytest.mark.shared
def test_the_judging_cells_are_read_as_well_as_when_the_table_was_fitted(shared_data: Path) -> None:
    from benchmarks.quality.place_cells import is_right
    from benchmarks.quality.place_cells_data import read_cells

    cells = [cell for cell in read_cells() if cell.half == "judging"]
    probate = [is_right(cell) for cell in cells if (cell.kind, cell.source) == PROBATE]
    census = [is_right(cell) for cell in cells if (cell.kind, cell.source) == CENSUS]
    places = [is_right(cell) for cell in cells if cell.kind == "place"]

    assert sum(probate) / len(probate) >= 0.95
    assert sum(census) / len(census) >= 0.95
    assert sum(places) / len(places) >= 0.99
