"""Tests for `forebear.ingest.readers.spreadsheet`."""

import zipfile
from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear.ingest.readers.spreadsheet import is_spreadsheet, open_spreadsheet

SHEET = """<worksheet><sheetData>
<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr">
<is><t>age</t></is></c></row>
<row r="3"><c r="A3" t="s"><v>2</v></c>
<c r="B3" s="1"><v>18000</v></c><c r="C3"><v>23.0</v></c></row>
<row r="4"><c r="A4" t="s"><v>3</v></c><c r="C4" t="b"><v>1</v></c></row>
</sheetData></worksheet>"""
TEXTS = """<sst><si><t>name</t></si><si><t>date</t></si>
<si><r><t>Mary </t></r><r><t>Brown</t></r></si>
<si><t xml:space="preserve">Zoë</t><rPh><t>no</t></rPh></si></sst>"""
STYLES = """<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts>
<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>"""


def write(folder: Path, *, sheet: str = SHEET, workbook: str = "") -> Path:
    path = folder / "book.xlsx"
    book = workbook or '<workbook><sheets><sheet name="People" id="r7"/></sheets></workbook>'
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", book)
        link = '<Relationships><Relationship Id="r7" Target="worksheets/s.xml"/></Relationships>'
        archive.writestr("xl/_rels/workbook.xml.rels", link)
        archive.writestr("xl/worksheets/s.xml", sheet)
        archive.writestr("xl/sharedStrings.xml", TEXTS)
        archive.writestr("xl/styles.xml", STYLES)
    return path


def test_a_sheet_is_a_table_with_headings(tmp_path: Path) -> None:
    path = write(tmp_path)

    table = open_spreadsheet(path)

    assert is_spreadsheet(path)
    assert table.headings == ("name", "date", "age")
    rows = list(table.rows())
    assert [row.line for row in rows] == [3, 4]
    assert rows[0].values == {"name": "Mary Brown", "date": "1949-04-12", "age": "23"}


def test_empty_cells_keep_their_columns(tmp_path: Path) -> None:
    last = list(open_spreadsheet(write(tmp_path)).rows())[-1]

    assert last.values == {"name": "Zoë", "date": "", "age": "true"}
    assert last.fault == ""


def test_days_may_be_counted_from_1904(tmp_path: Path) -> None:
    book = '<workbook><workbookPr date1904="1"/><sheet name="People" id="r7"/></workbook>'

    first = next(open_spreadsheet(write(tmp_path, workbook=book)).rows())

    assert first.values["date"] == "1953-04-13"


def test_a_sheet_that_is_not_there_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no sheet 'Births'") as caught:
        open_spreadsheet(write(tmp_path), sheet="Births")

    assert "People" in str(caught.value.hint)


def test_an_empty_sheet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the sheet is empty"):
        open_spreadsheet(write(tmp_path, sheet="<worksheet/>"))
