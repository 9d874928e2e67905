"""Tests for `forebear.ingest.readers.spreadsheet`."""

import zipfile
from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear.ingest.mapping import parse_mapping
from forebear.ingest.readers import spreadsheet
from forebear.ingest.readers.spreadsheet import open_spreadsheet, spreadsheet_format
from forebear.ingest.run import import_file
from forebear.storage.memory import MemoryStorage

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMESPACES = f'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="{OFFICE}"'
LINKS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
PEOPLE = """
<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr">
<is><t>age</t></is></c></row>
<row r="3"><c r="A3" t="s"><v>2</v></c>
<c r="B3" s="1"><v>18000</v></c><c r="C3"><v>23.0</v></c></row>
<row r="4"><c r="A4" t="s"><v>3</v></c><c r="C4" t="b"><v>1</v></c></row>
"""
TEXTS = """<si><t>name</t></si><si><t>date</t></si>
<si><r><t xml:space="preserve">Mary </t></r><r><t>Brown</t></r></si>
<si><t xml:space="preserve">Zoë</t><rPh sb="0" eb="1"><t>no</t></rPh></si>"""
STYLES = """<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts>
<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>"""
ODS = """<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>
<table:table table:name="People">{rows}</table:table>
</office:spreadsheet></office:body></office:document-content>"""
ODS_TEXT = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
ODS_ROW = "<table:table-row>{}</table:table-row>"
ODS_END = (
    '<table:table-row table:number-rows-repeated="1048570">'
    '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
)
MAPPING = """
[collection]
name = "people"
title = "People"
record_type = "census"
[[persona]]
role = "person"
principal = true
name = "name"
"""


def row(line: int, *cells: str) -> str:
    """Return a row of texts."""
    inside = "".join(
        f'<c r="{"ABC"[n]}{line}" t="inlineStr"><is><t>{cell}</t></is></c>'
        for n, cell in enumerate(cells)
    )
    return f'<row r="{line}">{inside}</row>'


def write(folder: Path, sheets: dict[str, str] | None = None, *, properties: str = "") -> Path:
    """Write a workbook; each sheet is its rows."""
    path = folder / "book.xlsx"
    named = list((sheets or {"People": PEOPLE}).items())
    listed = "".join(
        f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, (name, _) in enumerate(named, 1)
    )
    links = "".join(
        f'<Relationship Id="r{n}" Type="{OFFICE}/worksheet" Target="worksheets/s{n}.xml"/>'
        for n, _ in enumerate(named, 1)
    )
    root = f'<Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
    book = f"<workbook {NAMESPACES}>{properties}<sheets>{listed}</sheets></workbook>"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_rels/.rels", f"{LINKS}{root}</Relationships>")
        archive.writestr("xl/workbook.xml", book)
        archive.writestr("xl/_rels/workbook.xml.rels", f"{LINKS}{links}</Relationships>")
        for n, (_, rows) in enumerate(named, 1):
            sheet = f"<worksheet {NAMESPACES}><sheetData>{rows}</sheetData></worksheet>"
            archive.writestr(f"xl/worksheets/s{n}.xml", sheet)
        archive.writestr("xl/sharedStrings.xml", f"<sst {NAMESPACES}>{TEXTS}</sst>")
        archive.writestr("xl/styles.xml", f"<styleSheet {NAMESPACES}>{STYLES}</styleSheet>")
    return path


def write_ods(folder: Path, rows: str) -> Path:
    path = folder / "book.ods"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", ODS.format(rows=rows))
    return path


def test_a_sheet_is_a_table_with_headings(tmp_path: Path) -> None:
    path = write(tmp_path)

    table = open_spreadsheet(path)

    assert spreadsheet_format(path) == "xlsx"
    assert table.headings == ("name", "date", "age")
    rows = list(table.rows())
    assert [row.line for row in rows] == [3, 4]
    assert rows[0].values == {"name": "Mary Brown", "date": "1949-04-12", "age": "23"}
    assert table.notes == ()


def test_empty_cells_keep_their_columns(tmp_path: Path) -> None:
    last = list(open_spreadsheet(write(tmp_path)).rows())[-1]

    assert last.values == {"name": "Zoë", "date": "", "age": "true"}
    assert last.fault == ""


def test_days_may_be_counted_from_1904(tmp_path: Path) -> None:
    path = write(tmp_path, properties='<workbookPr date1904="1"/>')

    assert next(open_spreadsheet(path).rows()).values["date"] == "1953-04-13"


def test_an_open_document_is_read(tmp_path: Path) -> None:
    cells = [("name", "age"), ("Mary Brown", "23")]
    rows = "".join(
        ODS_ROW.format("".join(ODS_TEXT.format(cell) for cell in texts)) for texts in cells
    )
    path = write_ods(tmp_path, rows + ODS_END)

    assert spreadsheet_format(path) == "ods"
    assert [row.values for row in open_spreadsheet(path).rows()] == [
        {"name": "Mary Brown", "age": "23"}
    ]


def test_an_old_workbook_is_read(repository: Path) -> None:
    path = repository / "tests" / "unit" / "ingest" / "readers" / "people.xls"

    table = open_spreadsheet(path)

    assert spreadsheet_format(path) == "xls"
    assert [row.values for row in table.rows()] == [
        {"name": "Mary Brown", "date": "1849-05-03", "age": "23"},
        {"name": "Zoë Green", "date": "", "age": ""},
        {"name": "Ann Hill", "date": "1949-04-12", "age": "4"},
    ]


def test_every_sheet_is_read_or_named_in_the_report(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {
            "Layham": row(1, "name", "age") + row(2, "Mary Brown", "23") + row(3, "Ann Hill", "4"),
            "Raydon": row(1, "name", "age") + row(2, "Job Wood", "7"),
            "Notes": row(1, "who", "what"),
            "Blank": "",
        },
    )
    storage = MemoryStorage()

    report = import_file(path, parse_mapping(MAPPING), storage)

    assert (report.read, report.accepted) == (3, 3)
    assert report.notes == (
        "sheet 'Raydon': its line 1 is line 4 here",
        "sheet 'Notes' has other headings and was not read; "
        'to read it, give it a mapping with sheet = "Notes" in its [table]',
        "sheet 'Blank' is empty",
    )
    assert all(f"note: {note}" in report.to_text() for note in report.notes)
    assert report.to_dict()["notes"] == list(report.notes)
    lines = [row.line for row in open_spreadsheet(path).rows()]
    assert lines == [2, 3, 5]


def test_a_named_sheet_is_read_alone(tmp_path: Path) -> None:
    path = write(tmp_path, {"A": row(1, "name", "age"), "B": row(1, "who") + row(2, "Ann")})

    table = open_spreadsheet(path, sheet="B")

    assert [row.values for row in table.rows()] == [{"who": "Ann"}]
    assert table.notes == ()


def test_a_sheet_that_is_not_there_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no sheet 'Births'") as caught:
        open_spreadsheet(write(tmp_path), sheet="Births")

    assert "People" in str(caught.value.hint)


def test_an_empty_sheet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the sheet is empty"):
        open_spreadsheet(write(tmp_path, {"People": ""}))


def test_two_cells_far_apart_are_refused_before_memory_is_taken(tmp_path: Path) -> None:
    far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'

    with pytest.raises(InputError, match="1,048,576 rows and 16,384 columns"):
        open_spreadsheet(write(tmp_path, {"People": row(1, "name") + far}))


def test_rows_and_cells_without_addresses_are_counted(tmp_path: Path) -> None:
    many = "<row>" + "<c/>" * 6_000 + "</row>" + "<row/>" * 6_000 + "<row><c/></row>"

    with pytest.raises(InputError, match="6,002 rows and 6,000 columns"):
        open_spreadsheet(write(tmp_path, {"People": many}))


def test_a_repeated_cell_of_an_open_document_is_counted(tmp_path: Path) -> None:
    wide = '<table:table-cell office:value-type="float" table:number-columns-repeated="16384"/>'
    rows = f'<table:table-row table:number-rows-repeated="1048576">{wide}</table:table-row>'

    with pytest.raises(InputError, match="1,048,576 rows and 16,384 columns"):
        open_spreadsheet(write_ods(tmp_path, rows))


def test_a_workbook_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, {"People": row(1, "name") + " " * 2_000_000})
    monkeypatch.setattr("forebear.ingest.readers.spreadsheet.MAX_BYTES", 1_000_000)

    with pytest.raises(InputError, match=r"more than .* bytes unpacked"):
        open_spreadsheet(path)


@pytest.mark.parametrize("start", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"])
def test_a_broken_workbook_is_an_input_error(tmp_path: Path, start: bytes) -> None:
    path = tmp_path / "book.xls"
    path.write_bytes(start + b"nothing" * 300)

    with pytest.raises(InputError, match=r"book\.xls: "):
        open_spreadsheet(path)


def test_a_tag_without_an_end_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, {"People": row(1, "name") + "<" + "a" * 3_000_000})

    with pytest.raises(InputError, match=r"s1\.xml is no XML"):
        open_spreadsheet(path)


def test_what_lies_between_tags_is_not_collected() -> None:
    assert spreadsheet._Corner().read(b"\0" * 1000) == b""
