"""Tests for `forebear.ingest.pieces`: what is remembered is what would be read again."""

from forebear.ingest.facts import Facts, Warnings
from forebear.ingest.mapping import CollectionEntry, DerivedColumn, Mapping, TableFormat
from forebear.ingest.pieces import Pieces

BIRTHS = CollectionEntry(name="b", title="B", record_type="birth")


def test_cells_are_understood_once() -> None:
    cells_read = []

    def read(facts: Facts) -> str:
        cells_read.append(facts.cells)
        return facts.text(("town",))

    piece = Pieces(Mapping(collection=BIRTHS)).piece(("town",), read)

    assert [piece({"town": " Layham ", "id": number}, []) for number in "123"] == ["Layham"] * 3
    assert cells_read == [{"town": "Layham"}]


def test_a_warning_comes_with_every_row_that_has_the_cell() -> None:
    piece = Pieces(Mapping(collection=BIRTHS)).piece(("day",), lambda facts: facts.date(("day",)))
    first: Warnings = []
    second: Warnings = []

    piece({"day": "the day"}, first)
    piece({"day": "the day"}, second)

    assert first == second == [("day not understood", "'the day'")]


def test_a_coded_cell_hangs_on_the_cells_that_its_word_names() -> None:
    mapping = Mapping(collection=BIRTHS, values={"born": {"here": "{parish}, Suffolk"}})
    piece = Pieces(mapping).text(("born",))

    assert piece({"born": "here", "parish": "Layham"}, []) == "Layham, Suffolk"
    assert piece({"born": "here", "parish": "Hadleigh"}, []) == "Hadleigh, Suffolk"


def test_a_coded_cell_that_names_no_other_is_decoded() -> None:
    piece = Pieces(Mapping(collection=BIRTHS, values={"born": {"nk": ""}})).text(("born",))

    assert piece({"born": "NK"}, []) == ""


def test_a_derived_column_hangs_on_the_one_it_is_cut_from() -> None:
    mapping = Mapping(
        collection=BIRTHS, derived={"year": DerivedColumn(column="note", pattern=r"\d{4}")}
    )
    pieces = Pieces(mapping)
    piece = pieces.text(("year",))

    assert [piece({"note": f"in {year}"}, []) for year in (1851, 1861)] == ["1851", "1861"]
    assert pieces.columns == {"note"}


def test_a_cell_that_stands_for_nothing_is_empty() -> None:
    pieces = Pieces(Mapping(collection=BIRTHS, table=TableFormat(missing=("-",))))

    assert pieces.text(("town",))({"town": " - "}, []) == ""
    assert pieces.text(("town", "parish"))({"town": "-", "parish": "Layham"}, []) == "Layham"


def test_what_has_no_columns_says_nothing() -> None:
    assert Pieces(Mapping(collection=BIRTHS)).text(())({}, []) == ""
