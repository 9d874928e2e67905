"""Tests for `forebear.ingest.understand`: what is remembered is what would be read again."""

from forebear.ingest.mapping import CollectionEntry, DerivedColumn, Mapping, TableFormat
from forebear.ingest.understand import CellFacts, Lookups, Warnings

BIRTHS = CollectionEntry(name="b", title="B", record_type="birth")


def test_cells_are_understood_once() -> None:
    read_cells = []

    def read(facts: CellFacts) -> str:
        read_cells.append(facts.cells)
        return facts.text(("town",))

    lookup = Lookups(Mapping(collection=BIRTHS)).facts(("town",), read)

    assert [lookup({"town": " Layham ", "id": number}, []) for number in "123"] == ["Layham"] * 3
    assert read_cells == [{"town": "Layham"}]


def test_a_warning_comes_with_every_row_that_has_the_cell() -> None:
    lookup = Lookups(Mapping(collection=BIRTHS)).facts(("day",), lambda facts: facts.date(("day",)))
    first: Warnings = []
    second: Warnings = []

    lookup({"day": "the day"}, first)
    lookup({"day": "the day"}, second)

    assert first == second == [("day not understood", "'the day'")]


def test_a_coded_cell_hangs_on_the_cells_that_its_word_names() -> None:
    mapping = Mapping(collection=BIRTHS, values={"born": {"here": "{parish}, Suffolk"}})
    lookup = Lookups(mapping).text(("born",))

    assert lookup({"born": "here", "parish": "Layham"}, []) == "Layham, Suffolk"
    assert lookup({"born": "here", "parish": "Hadleigh"}, []) == "Hadleigh, Suffolk"


def test_a_coded_cell_that_names_no_other_is_decoded() -> None:
    lookup = Lookups(Mapping(collection=BIRTHS, values={"born": {"nk": ""}})).text(("born",))

    assert lookup({"born": "NK"}, []) == ""


def test_a_derived_column_hangs_on_the_one_it_is_cut_from() -> None:
    mapping = Mapping(
        collection=BIRTHS, derived={"year": DerivedColumn(column="note", pattern=r"\d{4}")}
    )
    lookups = Lookups(mapping)
    lookup = lookups.text(("year",))

    assert [lookup({"note": f"in {year}"}, []) for year in (1851, 1861)] == ["1851", "1861"]
    assert lookups.columns == {"note"}


def test_a_cell_that_stands_for_nothing_is_empty() -> None:
    lookups = Lookups(Mapping(collection=BIRTHS, table=TableFormat(missing=("-",))))

    assert lookups.text(("town",))({"town": " - "}, []) == ""
    assert lookups.text(("town", "parish"))({"town": "-", "parish": "Layham"}, []) == "Layham"


def test_what_has_no_columns_says_nothing() -> None:
    assert Lookups(Mapping(collection=BIRTHS)).text(())({}, []) == ""
