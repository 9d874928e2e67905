"""Tests for `forebear.ingest.readers.table`."""

import csv
import io
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear.ingest.readers import table as table_module
from forebear.ingest.readers.table import open_table

cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)
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
