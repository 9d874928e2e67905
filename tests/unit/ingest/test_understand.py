"""Tests for `forebear.ingest.understand`: what is remembered is what would be read again."""

from forebear.ingest.mapping import (
    CollectionEntry,
    DerivedColumn,
    EventColumns,
    Mapping,
    TableFormat,
)
from forebear.ingest.understand import CellFacts, Lookups, Warnings

BIRTHS = CollectionEntry(name="b", title="B", record_type="birth")


def test_cells_are_understood_once() -> None:
    read_cells = []

    def read(facts: CellFacts) -> str:
        read_cells.append(facts.cells)
        return facts.text(("town",))

    lookup = Lookups(Mapping(collection=BIRTHS), ("id", "town")).facts(("town",), read)

    assert [lookup([number, " Layham "], []) for number in "123"] == ["Layham"] * 3
    assert read_cells == [{"town": "Layham"}]


def test_a_warning_comes_with_every_row_that_has_the_cell() -> None:
    lookup = Lookups(Mapping(collection=BIRTHS)).facts(("day",), lambda facts: facts.date(("day",)))
    first: Warnings = []
    second: Warnings = []

    lookup(["the day"], first)
    lookup(["the day"], second)

    assert first == second == [("day not understood", "'the day'")]


def test_a_coded_cell_hangs_on_the_cells_that_its_word_names() -> None:
    mapping = Mapping(collection=BIRTHS, values={"born": {"here": "{parish}, Suffolk"}})
    lookup = Lookups(mapping, ("born", "parish")).text(("born",))

    assert lookup(["here", "Layham"], []) == "Layham, Suffolk"
    assert lookup(["here", "Hadleigh"], []) == "Hadleigh, Suffolk"


def test_a_coded_cell_that_names_no_other_is_decoded() -> None:
    lookup = Lookups(Mapping(collection=BIRTHS, values={"born": {"nk": ""}})).text(("born",))

    assert lookup(["NK"], []) == ""


def test_a_derived_column_hangs_on_the_one_it_is_cut_from() -> None:
    mapping = Mapping(
        collection=BIRTHS, derived={"year": DerivedColumn(column="note", pattern=r"\d{4}")}
    )
    lookups = Lookups(mapping)
    lookup = lookups.text(("year",))

    assert [lookup([f"in {year}"], []) for year in (1851, 1861)] == ["1851", "1861"]
    assert lookups.row_cells({"year": "1871", "note": "in 1851"}) == ["in 1851"]


def test_a_cell_that_stands_for_nothing_is_empty() -> None:
    lookups = Lookups(Mapping(collection=BIRTHS, table=TableFormat(missing=("-",))))

    assert lookups.text(("town",))([" - "], []) == ""
    assert lookups.text(("town", "parish"))(["-", "Layham"], []) == "Layham"


def test_what_has_no_columns_says_nothing() -> None:
    assert Lookups(Mapping(collection=BIRTHS)).text(())([], []) == ""


def test_a_column_that_the_file_lacks_is_blank() -> None:
    lookups = Lookups(Mapping(collection=BIRTHS), ("id", "town"))
    lookup = lookups.text(("parish",))

    assert not lookups.is_whole
    assert lookup(lookups.row_cells({"id": "1", "town": "Layham"}), []) == ""
    assert lookup(lookups.row_cells({"town": "Layham", "parish": "St Mary"}), []) == "St Mary"


def test_events_of_one_day_and_place_are_one() -> None:
    lookups = Lookups(Mapping(collection=BIRTHS), ("id", "day", "town"))
    lookup = lookups.event("birth", EventColumns(date=("day",), place=("town",)))
    first, second, other = (
        lookup([number, day, "Layham"], [])
        for number, day in (("1", "1 May 1850"), ("2", "1 May 1850"), ("3", "2 May 1850"))
    )

    assert first is second
    assert first != other
    assert lookup(["4", "", " "], []) is None


def test_a_constant_day_is_warned_of_where_the_place_is_read() -> None:
    mapping = Mapping(collection=BIRTHS, constants={"day": "some day"})
    columns = EventColumns(date=("day",), place=("town",))
    of_row: Warnings = []
    of_constants: Warnings = []

    Lookups(mapping, ("town",)).event("birth", columns)(["Layham"], of_row)
    Lookups(mapping, ()).event("birth", EventColumns(date=("day",)))([], of_constants)

    assert of_row == [("day not understood", "'some day'")]
    assert not of_constants
