"""Tests for `forebear.ingest.readers.gramps`."""

import gzip
import io
import tarfile
from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear.ingest.formats import sniff_format
from forebear.ingest.readers.gramps import GrampsSource
from forebear.ingest.readers.source import TargetCollections
from forebear.records.collections import Collection
from forebear.records.record import Record

XML = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE database PUBLIC "-//Gramps//DTD Gramps XML 1.7.2//EN"
"http://gramps-project.org/xml/1.7.2/grampsxml.dtd">
<database xmlns="http://gramps-project.org/xml/1.7.2/">
 <events>
  <event handle="_e1" id="E1"><type>Birth</type><dateval val="1850-03-12" type="about"/>
   <place hlink="_p1"/></event>
  <event handle="_e2" id="E2"><type>Marriage</type><daterange start="1870" stop="1872-05"/></event>
  <event handle="_e3" id="E3"><type>Death</type></event>
  <event handle="_e4" id="E4"><type>Duel</type><datestr val="long ago"/></event>
 </events>
 <people>
  <person handle="_i1" id="I1"><gender>M</gender>
   <name type="Birth Name"><first>Jan</first><surname prefix="van der">Berg</surname></name>
   <name alt="1" type="Also Known As"><first>Johnny</first><surname>Hill</surname></name>
   <eventref hlink="_e1" role="Primary"/><eventref hlink="_e4" role="Primary"/>
   <noteref hlink="_n1"/><citationref hlink="_c1"/></person>
  <person handle="_i2" id="I2"><gender>F</gender>
   <name type="Birth Name"><first>Mary</first><surname>Brown</surname></name>
   <eventref hlink="_e3" role="Primary"/></person>
 </people>
 <families><family handle="_f1" id="F1"><father hlink="_i1"/><mother hlink="_i2"/>
   <eventref hlink="_e2" role="Family"/></family></families>
 <citations><citation handle="_c1" id="C1"><page>7</page><sourceref hlink="_s1"/></citation>
 </citations>
 <sources><source handle="_s1" id="S1"><stitle>Delft register</stitle></source></sources>
 <places>
  <placeobj handle="_p1" id="P1"><pname value="Delft"/><placeref hlink="_p2"/></placeobj>
  <placeobj handle="_p2" id="P2"><pname value="Netherlands"/></placeobj>
 </places>
 <notes><note handle="_n1" id="N1"><text>A baker.</text></note></notes>
</database>"""


def package(tree: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        member = tarfile.TarInfo("data.gramps")
        member.size = len(tree)
        archive.addfile(member, io.BytesIO(tree))
    return packed.getvalue()


def read(folder: Path, data: bytes) -> dict[str, Record]:
    path = folder / "tree.gramps"
    path.write_bytes(data)
    assert sniff_format(path) == "gramps"
    collection = Collection(name="tree", title="Tree", record_type="family_tree")
    source = GrampsSource(path, TargetCollections(collection=collection))
    return {record.id: record for entry in source.entries() for record in entry.records}


@pytest.mark.parametrize(
    "data",
    [
        XML.encode(),
        gzip.compress(XML.encode()),
        package(XML.encode()),
        package(gzip.compress(XML.encode())),
    ],
    ids=["xml", "gramps", "gpkg", "gpkg of gramps"],
)
def test_people_become_records_however_they_are_packed(tmp_path: Path, data: bytes) -> None:
    records = read(tmp_path, data)

    jan = records["I1"].personas[0]
    assert [(name.given, name.surname, name.kind) for name in jan.names] == [
        ("Jan", "van der Berg", "birth"),
        ("Johnny", "Hill", "alias"),
    ]
    assert jan.names[0].prefix == "van der"
    assert records["I1"].event.place
    assert records["I1"].event.place.levels[0] == "delft"
    assert records["I1"].event.date
    assert records["I1"].event.date.qualifier == "about"
    assert [persona.role for persona in records["I2"].personas] == ["self", "husband"]


def test_events_notes_and_sources_are_tied_to_their_people(tmp_path: Path) -> None:
    records = read(tmp_path, XML.encode())

    marriage = records["I2"].personas[0].event("marriage")
    assert marriage
    assert marriage.date
    assert (marriage.date.first_year, marriage.date.last_year) == (1870, 1872)
    assert records["I2"].personas[0].event("death")
    assert records["I1"].personas[0].event("duel")
    assert records["I1"].text == "A baker."
    assert records["I1"].citation == "Delft register, 7"


def test_a_file_of_nobody_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no people"):
        read(tmp_path, b'<database xmlns="http://gramps-project.org/xml/1.7.2/"/>')


def test_a_person_marked_private_is_known_to_be(tmp_path: Path) -> None:
    marked = XML.replace('id="I2"', 'id="I2" priv="1"')

    records = read(tmp_path, marked.encode())

    assert ("restriction", "privacy") in records["I2"].personas[0].attributes
    assert any(("restriction", "privacy") in p.attributes for p in records["I1"].personas)
