"""Tests for `forebear.ingest.readers.refused_rows`: no cell is a formula, and none is changed."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from forebear.cli.imports import RefusedRows
from forebear.ingest.issues import Issue
from forebear.ingest.readers.refused_rows import guard_cells, unguard_cells
from forebear.ingest.readers.table import open_table
from forebear.ingest.report import RefusedRow

cells = st.lists(st.text("'=+-@\t\ra1", max_size=4), max_size=4)


@given(cells)
def test_no_guarded_cell_begins_like_a_formula(written: list[str]) -> None:
    assert not any(cell.startswith(tuple("=+-@\t\r")) for cell in guard_cells(written))


@given(cells)
def test_what_was_guarded_is_read_as_it_was(written: list[str]) -> None:
    assert unguard_cells(guard_cells(written)) == written


def test_a_table_of_refused_rows_has_the_same_cells_when_it_is_read_again(tmp_path: Path) -> None:
    row = (("=id", "@1"), ("name", "=cmd|' /C calc'!A0"), ("note", "'quoted'"), ("age", "-"))
    rows = RefusedRows([tmp_path / "a.csv"])
    rows.add(tmp_path / "a.csv", RefusedRow(issue=Issue(line=2, reason="=x"), cells=row))
    path = tmp_path / "refused.csv"

    rows.write(path)

    assert not any(cell.startswith("=") for cell in path.read_text("utf-8").split(","))
    table = open_table(path)
    (read,) = table.rows()
    assert tuple(read.values.items())[:4] == row
    assert read.values["reason"] == "=x"


def test_other_tables_keep_their_apostrophes(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,name\n1,'=x\n", "utf-8")

    (read,) = open_table(path).rows()

    assert read.values["name"] == "'=x"
