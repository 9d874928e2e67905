"""Tests for `forebear.ingest.readers.table`."""

import csv
import io
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forebear.cli.imports import RefusedRows
from forebear.errors import InputError
from forebear.ingest.readers import table as table_module
from forebear.ingest.readers.table import find_encoding, guard_cells, open_table, unguard_cells
from forebear.ingest.report import Issue, RefusedRow

cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)
risky_cells = st.lists(st.text("'=+-@\t\ra1", max_size=4), max_size=4)
tables = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(cells, min_size=width, max_size=width), max_size=5)
)


def write(folder: Path, text: str) -> Path:
    path = folder / "t.csv"
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_by_looking(tmp_path: Path, delimiter: str) -> None:
    rows = [["surname", "forename", "remarks"], ["Green", "Ann", "buried, they say; or not"]]
    text = "\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)

    table = open_table(write(tmp_path, text))

    assert table.delimiter == delimiter
    assert table.headings == ("surname", "forename", "remarks")


def test_commas_in_the_text_do_not_hide_the_tabs(tmp_path: Path) -> None:
    text = "id\tname, title and rank\n1\tAnn, Mrs, of Layham\n2\tJohn\n3\tMary\n"

    assert open_table(write(tmp_path, text)).delimiter == "\t"


def test_a_delimiter_told_wins(tmp_path: Path) -> None:
    table = open_table(write(tmp_path, "a^b,c\n1^2,3\n"), delimiter="^")

    assert [row.values for row in table.rows()] == [{"a": "1", "b,c": "2,3"}]


def test_rows_know_the_line_they_start_on(tmp_path: Path) -> None:
    text = 'a,b\n\n1,"two\nlines"\n\n3,4\n'

    rows = list(open_table(write(tmp_path, text)).rows())

    assert [(row.line, row.values) for row in rows] == [
        (3, {"a": "1", "b": "two\nlines"}),
        (6, {"a": "3", "b": "4"}),
    ]


def test_blank_lines_before_the_headings_are_skipped(tmp_path: Path) -> None:
    table = open_table(write(tmp_path, "\n,\na,b\n1,2\n"))

    assert table.heading_line == 3
    assert [row.values for row in table.rows()] == [{"a": "1", "b": "2"}]


def test_long_and_short_rows_are_reported_and_whole(tmp_path: Path) -> None:
    rows = list(open_table(write(tmp_path, "a,b,c\n1,2\n1,2,3,4\n1,2,3\n")).rows())

    assert [row.fault for row in rows] == [
        "2 cells under 3 headings",
        "4 cells under 3 headings",
        "",
    ]
    assert rows[0].values == {"a": "1", "b": "2"}
    assert rows[1].values == {"a": "1", "b": "2", "c": "3", "column 4": "4"}


def test_columns_without_a_name_of_their_own_get_one(tmp_path: Path) -> None:
    table = open_table(write(tmp_path, "a, ,a,b\n1,2,3,4\n"))

    assert table.headings == ("a", "column 2", "a (3)", "b")


def test_a_byte_order_mark_is_no_part_of_the_first_heading(tmp_path: Path) -> None:
    assert open_table(write(tmp_path, "\ufeffa,b\n")).headings == ("a", "b")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_will_do(tmp_path: Path, end: str) -> None:
    rows = list(open_table(write(tmp_path, f"a,b{end}1,2{end}3,4{end}")).rows())

    assert [row.line for row in rows] == [2, 3]
    assert rows[1].values == {"a": "3", "b": "4"}


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_file_is_an_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"t\.csv:1: the file is empty"):
        open_table(write(tmp_path, text))


def test_prose_is_not_a_table(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"t\.csv:1: this is not a table"):
        open_table(write(tmp_path, "Dear Sir\nI enclose the register.\n"))


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        open_table(tmp_path / "nothing.csv")


@pytest.mark.parametrize("rest", ["3,4\n" * 3, "3,4\n" * 60_000], ids=["short", "beyond-limit"])
def test_a_quotation_mark_that_never_closes_is_found_with_its_line(
    tmp_path: Path, rest: str
) -> None:
    table = open_table(write(tmp_path, f'a,b\n1,2\n1,"2\n{rest}'))

    with pytest.raises(InputError, match=r"t\.csv:3: a quotation mark opens"):
        table.check()


def test_quotation_marks_can_be_told_to_mean_nothing(tmp_path: Path) -> None:
    table = open_table(write(tmp_path, 'a,b\n1,"2\n3,4\n'), quote="")

    table.check()

    assert [row.values["b"] for row in table.rows()] == ['"2', "4"]


def test_bytes_done_reaches_the_size_of_the_file(tmp_path: Path) -> None:
    table = open_table(write(tmp_path, "a,b\n" + "1,2\n" * 10_000))

    done = [row.bytes_done for row in table.rows()]

    assert done == sorted(done)
    assert done[-1] == table.size_bytes


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(tables)
def test_what_a_writer_of_rfc_4180_wrote_is_read_back(
    tmp_path: Path, rows: list[list[str]]
) -> None:
    width = len(rows[0]) if rows else 2
    headings = [f"h{n}" for n in range(width)]
    buffer = io.StringIO(newline="")
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows([headings, *rows])

    table = open_table(write(tmp_path, buffer.getvalue()), delimiter=",")
    table.check()

    assert [list(row.values.values()) for row in table.rows()] == [row for row in rows if any(row)]


def test_a_cell_of_more_than_128_kilobytes_is_read(tmp_path: Path) -> None:
    notes = "word " * 40_000

    table = open_table(write(tmp_path, f'a,b\n1,"{notes}"\n2,x\n'))

    table.check()
    assert [row.values["b"] for row in table.rows()] == [notes, "x"]


def test_a_cell_beyond_our_limit_is_named_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(partial(csv.field_size_limit, csv.field_size_limit()))  # of all readers
    monkeypatch.setattr(table_module, "MAX_CELL_CHARACTERS", 1_000)
    table = open_table(write(tmp_path, f"a,b\n1,{'x' * 1_001}\n"))

    with pytest.raises(InputError, match=r"t\.csv:2: a cell of this row has more than 1,000"):
        table.check()


def write_bytes(folder: Path, data: bytes) -> Path:
    path = folder / "t.csv"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("a,é\n".encode(), "utf-8"),
        ("a,é\n".encode("utf-8-sig"), "utf-8-sig"),
        ("a,é\n".encode("cp1252"), "cp1252"),
        ("a,é\n".encode("utf-16"), "utf-16"),
        (b"a,b\n", "utf-8"),
    ],
)
def test_the_encoding_is_found_by_looking(tmp_path: Path, data: bytes, expected: str) -> None:
    assert find_encoding(write_bytes(tmp_path, data)) == expected


def test_the_given_encoding_wins(tmp_path: Path) -> None:
    path = write_bytes(tmp_path, b"Caf\x8e\n")  # é in Mac Roman, valid cp1252 as well

    assert find_encoding(path, "mac-roman") == "mac-roman"


def test_a_wrong_encoding_is_an_error_with_the_line(tmp_path: Path) -> None:
    path = write_bytes(tmp_path, b"a,b\n" * 5 + b"\xff,\n")

    with pytest.raises(InputError, match=r"the text after line \d is not utf-8"):
        find_encoding(path, "utf-8")


def test_a_spreadsheet_is_not_a_table(tmp_path: Path) -> None:
    path = write_bytes(tmp_path, b"PK\x03\x04\x14\x00\x08\xff\xfe" + bytes(100))

    with pytest.raises(InputError, match="binary file") as caught:
        find_encoding(path)

    assert "CSV" in str(caught.value.hint)


@pytest.mark.parametrize("encoding", ["cp1252", "cp850", "mac_roman"])
def test_old_encodings_are_told_apart_by_the_words_they_make(tmp_path: Path, encoding: str) -> None:
    names = "Müller,Zoë,José Peña,Françoise,Sjögren,Björk,Lützow,André,Ærø\n"
    path = write_bytes(tmp_path, ("a,b\n" + names * 3).encode(encoding))

    with path.open(encoding=find_encoding(path)) as file:
        assert names in file.read()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_needs_no_mark(tmp_path: Path, encoding: str) -> None:
    path = write_bytes(tmp_path, "name,place\nZoë,Århus\n".encode(encoding))

    assert find_encoding(path) == encoding


def test_bytes_that_mean_nothing_in_the_given_encoding_are_an_error(tmp_path: Path) -> None:
    path = write_bytes(tmp_path, b"a,b\nx,\x81\n")  # 0x81 is nothing in cp1252

    with pytest.raises(InputError, match="not cp1252"):
        find_encoding(path, "cp1252")


@given(risky_cells)
def test_no_guarded_cell_begins_like_a_formula(written: list[str]) -> None:
    assert not any(cell.startswith(tuple("=+-@\t\r")) for cell in guard_cells(written))


@given(risky_cells)
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
