"""Tests for `forebear.ingest.formats`, and for what mappings can say beyond one row one person."""

import zipfile
from pathlib import Path

import pytest

from forebear.errors import InputError, MappingError
from forebear.ingest.find_mapping import load_mapping
from forebear.ingest.formats import name_after_file, sniff_format
from forebear.ingest.mapping import parse_mapping
from forebear.ingest.run import import_file
from forebear.records.record import Record
from list_writer import ListWriter

COURT = """
[collection]
name = "court"
title = "Court"
record_type = "court"
subtype = "petition"
place = "Old Bailey, London, England"

[table]
optional = ["nickname"]

[record]
id = "id"
citation = ["book", "page"]
image = "link"
events.sentence = { date = "sentenced", detail = "sentence" }

[[persona]]
role = "petitioner"
principal = true
name = "people"
split = ',\\s*'
alias = "alias"
nickname = "nickname"
attributes.height = "height"
events.residence = { address = "street" }
"""
HEAD = "id,people,alias,height,street,book,page,link,sentenced,sentence"


def read(folder: Path, row: str) -> Record:
    path = folder / "court.csv"
    path.write_text(f"{HEAD}\n{row}\n", encoding="utf-8")
    writer = ListWriter()
    import_file(path, parse_mapping(COURT), writer)
    return writer.records[0]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"0 HEAD\n", "gedcom"),
        (b"\xef\xbb\xbf0 HEAD\n", "gedcom"),
        ("0 HEAD\n".encode("utf-16"), "gedcom"),
        (b"\x1f\x8b\x08", "gramps"),
        (b"<?xml?><database xmlns='http://gramps-project.org/xml/1.7.2/'>", "gramps"),
        (b"<?xml?><OAI-PMH>", "a2a"),
        (b'{"id": 1}', "jsonl"),
        (b"id,name\n1,2\n", "table"),
    ],
)
def test_the_first_bytes_tell_the_format(tmp_path: Path, data: bytes, expected: str) -> None:
    path = tmp_path / "some.file"
    path.write_bytes(data)

    assert sniff_format(path) == expected


def test_a_zip_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "photos.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.jpg", b"x")

    with pytest.raises(InputError, match="neither a spreadsheet nor GEDZIP"):
        sniff_format(path)


def test_a_tree_goes_to_a_collection_named_after_its_file(tmp_path: Path) -> None:
    mapping = name_after_file(load_mapping("gedcom"), tmp_path / "my family: tree.ged")

    assert mapping.collection.name == "my_family_tree"
    assert mapping.collection.title == "Family tree my family: tree.ged"


def test_several_people_in_one_cell_are_several_personas(tmp_path: Path) -> None:
    record = read(tmp_path, '1,"Ann Green, Thomas Brown",,,,,,,,')

    assert [persona.names[0].surname for persona in record.personas] == ["Green", "Brown"]
    assert all(persona.is_principal for persona in record.personas)


def test_what_the_collection_says_holds_where_the_row_says_nothing(tmp_path: Path) -> None:
    record = read(tmp_path, "1,Ann Green,,,,,,,,")

    assert record.subtype == "petition"
    assert record.event.place
    assert record.event.place.levels[0] == "old bailey"


def test_citation_image_alias_attributes_and_further_events_are_read(tmp_path: Path) -> None:
    row = "1,Ann Green,Nan Grene,5 ft,4 High St,B 7,12,https://x.org/1,1 May 1850,7 years"

    record = read(tmp_path, row)

    (ann,) = record.personas
    assert [name.kind for name in ann.names] == ["birth", "alias"]
    assert ann.attributes == (("height", "5 ft"),)
    assert ann.events[0].address == "4 High St"
    assert (record.citation, record.image) == ("B 7, 12", "https://x.org/1")
    assert (record.events[0].kind, record.events[0].detail) == ("sentence", "7 years")


def test_an_alias_that_is_the_same_name_is_none(tmp_path: Path) -> None:
    (ann,) = read(tmp_path, "1,Ann Green,ANN GREEN,,,,,,,").personas

    assert len(ann.names) == 1


def test_a_pattern_that_is_none_is_refused() -> None:
    with pytest.raises(MappingError, match=r"persona\[1\].split: '\(' is no regular expression"):
        parse_mapping(COURT.replace("',\\s*'", "'('"))
