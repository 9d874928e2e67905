"""Whatever a file holds: readers raise our errors or none, end, and lose nothing unsaid."""

import gzip
import io
import json
import os
import zipfile
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear.ingest.find_mapping import load_mapping, recognize
from forebear.ingest.formats import sniff_format
from forebear.ingest.mapping import Format, parse_mapping
from forebear.ingest.propose import propose_mapping
from forebear.ingest.run import import_file
from list_writer import ListWriter

FORMATS = [name for name in get_args(Format) if name != "table"]
TABLE = parse_mapping(
    """
    [collection]
    name = "fuzz"
    title = "Fuzz"
    record_type = "census"
    [record]
    id = "id"
    date = "date"
    place = ["place"]
    [[persona]]
    role = "person"
    name = "name"
    split = ';'
    age = "age"
    sex_column = "sex"
    """
)
quick = settings(
    max_examples=int(os.environ.get("FUZZ_EXAMPLES", "40")),
    deadline=2000,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

GEDCOM_WORDS = (
    "0 1 2 3 99 100 @I1@ @F1@ @I1 @VOID@ HEAD TRLR INDI FAM NAME SEX BIRT DEAT DATE PLAC CONT CONC "
    "HUSB WIFE CHIL FAMC FAMS NOTE SOUR CHAR ANSEL GEDC VERS 7.0 John /Smith/ 1850 M @@ é"
)
XML_PARTS = (
    "<A2A> </A2A> <Person> </Person> <PersonName> </PersonName> Jan <PersonNameFirstName> <first> "
    "</PersonNameFirstName> <database> </database> <person> </person> <name> </name> </first> &x; "
    "&amp; &lt; <!-- --> <![CDATA[ ]]> < <row> </row> <c> </c> <v> </v> <si> </si> <t> </t>"
)
gedcom_words = st.sampled_from(GEDCOM_WORDS.split())
gedcom_lines = st.lists(gedcom_words, max_size=5).map(" ".join)
gedcom_texts = st.lists(gedcom_lines, max_size=40).map("\n".join)
xml_parts = st.sampled_from(
    [*XML_PARTS.split(), "<!DOCTYPE a [<!ENTITY x 'y'>]>", "<?xml version='1.0'?>"]
)
xml_texts = st.lists(xml_parts, max_size=30).map("".join)
csv_cells = st.sampled_from(
    ["id", "name", "date", "place", "age", "sex", '"', '""', "a;b", "John Smith", "1850", ""]
)
csv_texts = st.lists(st.lists(csv_cells, max_size=6).map(",".join), max_size=20).map("\n".join)


def check_message(error: InputError, path: Path) -> None:
    assert path.name in error.message
    assert error.hint


def read(path: Path, data: bytes, name: str) -> None:
    """Import the bytes as this format; whatever happens must be ours, and add up."""
    path.write_bytes(data)
    writer = ListWriter()
    mapping = TABLE if name == "table" else load_mapping(name)
    try:
        report = import_file(path, mapping, writer)
    except InputError as error:
        check_message(error, path)
        return
    assert len(writer.records) == report.accepted
    assert report.accepted + report.refused == report.read
    assert len({record.key for record in writer.records}) == report.accepted


@pytest.mark.parametrize("name", ["table", *FORMATS])
@quick
@given(data=st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(tmp_path: Path, name: str, data: bytes) -> None:
    read(tmp_path / "fuzz.bin", data, name)


@quick
@given(text=gedcom_texts, encoding=st.sampled_from(["utf-8", "cp1252", "utf-16", "utf-16-le"]))
def test_any_gedcom_like_text_is_read_or_refused(tmp_path: Path, text: str, encoding: str) -> None:
    read(tmp_path / "fuzz.ged", text.encode(encoding), "gedcom")


@quick
@given(text=gedcom_texts)
def test_every_line_of_an_accepted_gedcom_has_a_fate(tmp_path: Path, text: str) -> None:
    path = tmp_path / "fuzz.ged"
    path.write_text(f"0 HEAD\n{text}\n0 TRLR\n", encoding="utf-8")

    report = import_file(path, load_mapping("gedcom"), ListWriter())

    assert sum(report.lines.values()) == text.count("\n") + 3


@pytest.mark.parametrize("name", ["a2a", "gramps"])
@quick
@given(text=xml_texts)
def test_any_xml_like_text_is_read_or_refused(tmp_path: Path, name: str, text: str) -> None:
    read(tmp_path / "fuzz.xml", text.encode(), name)
    if name == "gramps":
        read(tmp_path / "fuzz.gramps", gzip.compress(text.encode()), name)


@quick
@given(text=csv_texts)
def test_any_csv_like_text_is_read_or_refused(tmp_path: Path, text: str) -> None:
    read(tmp_path / "fuzz.csv", text.encode(), "table")


@quick
@given(
    sheet=xml_texts,
    parts=st.lists(st.sampled_from(["xl/styles.xml", "xl/sharedStrings.xml"]), unique=True),
)
def test_any_spreadsheet_is_read_or_refused(tmp_path: Path, sheet: str, parts: list[str]) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("xl/workbook.xml", '<w><sheet name="a" id="r1"/></w>')
        links = '<r><Relationship Id="r1" Target="worksheets/sheet1.xml"/></r>'
        archive.writestr("xl/_rels/workbook.xml.rels", links)
        archive.writestr("xl/worksheets/sheet1.xml", f"<s>{sheet}<row><c><v>1</v></c></row></s>")
        for part in parts:
            archive.writestr(part, sheet)

    read(tmp_path / "fuzz.xlsx", packed.getvalue(), "table")


@quick
@given(data=st.binary(max_size=200) | csv_texts.map(str.encode) | gedcom_texts.map(str.encode))
def test_any_file_can_be_looked_at(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "fuzz.txt"
    path.write_bytes(data)

    for look in (sniff_format, recognize, propose_mapping):
        try:
            look(path)
        except InputError as error:
            check_message(error, path)


@quick
@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["id", "event", "personas", "kind", "names", "record_type", "row"]),
                inner,
                max_size=5,
            )
        ),
        max_leaves=12,
    )
)
def test_any_json_is_read_or_refused(tmp_path: Path, value: object) -> None:
    read(tmp_path / "fuzz.jsonl", json.dumps(value).encode(), "jsonl")


def test_a_record_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_text('{"personas": ' + "[" * 900 + "]" * 900 + "}\n", "utf-8")

    report = import_file(path, load_mapping("jsonl"), ListWriter())

    assert report.refused == 1
