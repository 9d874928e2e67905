"""Tests for `forebear.ingest.readers.a2a`."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear.ingest.find_mapping import recognize
from forebear.ingest.report import ImportReport
from forebear.ingest.run import import_file
from forebear.ingest.store import Group, RecordStore, SourceFile
from forebear.records.collections import Collection
from forebear.records.record import Record, relation_between

MARRIAGE = """<a2a:A2A xmlns:a2a="http://Mindbus.nl/A2A" Version="1.7">
 <a2a:Person pid="p1"><a2a:PersonName><a2a:PersonNameFirstName>Jan</a2a:PersonNameFirstName>
  <a2a:PersonNamePatronym>Pietersz</a2a:PersonNamePatronym>
  <a2a:PersonNamePrefixLastName>van der</a2a:PersonNamePrefixLastName>
  <a2a:PersonNameLastName>Berg</a2a:PersonNameLastName></a2a:PersonName>
  <a2a:Gender>Man</a2a:Gender>
  <a2a:Age><a2a:PersonAgeLiteral>23 jaar</a2a:PersonAgeLiteral></a2a:Age>
  <a2a:BirthPlace><a2a:Place>Delft</a2a:Place></a2a:BirthPlace>
  <a2a:Profession>bakker</a2a:Profession></a2a:Person>
 <a2a:Person pid="p2"><a2a:PersonName><a2a:PersonNameFirstName>Maria</a2a:PersonNameFirstName>
  <a2a:PersonNameLastName>Smit</a2a:PersonNameLastName></a2a:PersonName></a2a:Person>
 <a2a:Person pid="p3"><a2a:PersonName><a2a:PersonNameFirstName>NN</a2a:PersonNameFirstName>
  <a2a:PersonNameLastName>Smit</a2a:PersonNameLastName></a2a:PersonName></a2a:Person>
 <a2a:Event eid="e1"><a2a:EventType>Huwelijk</a2a:EventType>
  <a2a:EventDate><a2a:Year>1811</a2a:Year><a2a:Month>7</a2a:Month><a2a:Day>2</a2a:Day></a2a:EventDate>
  <a2a:EventPlace><a2a:Place>Leiden</a2a:Place></a2a:EventPlace></a2a:Event>
 <a2a:RelationEP><a2a:PersonKeyRef>p1</a2a:PersonKeyRef><a2a:EventKeyRef>e1</a2a:EventKeyRef>
  <a2a:RelationType>Bruidegom</a2a:RelationType></a2a:RelationEP>
 <a2a:RelationEP><a2a:PersonKeyRef>p2</a2a:PersonKeyRef><a2a:EventKeyRef>e1</a2a:EventKeyRef>
  <a2a:RelationType>Bruid</a2a:RelationType></a2a:RelationEP>
 <a2a:RelationEP><a2a:PersonKeyRef>p3</a2a:PersonKeyRef><a2a:EventKeyRef>e1</a2a:EventKeyRef>
  <a2a:RelationType>Relatie</a2a:RelationType></a2a:RelationEP>
 <a2a:RelationPP><a2a:PersonKeyRef>p3</a2a:PersonKeyRef><a2a:PersonKeyRef>p2</a2a:PersonKeyRef>
  <a2a:RelationType>Vader</a2a:RelationType></a2a:RelationPP>
 <a2a:Source><a2a:SourceType>BS Huwelijk</a2a:SourceType>
  <a2a:SourceReference><a2a:InstitutionName>Erfgoed Leiden</a2a:InstitutionName>
  <a2a:DocumentNumber>12</a2a:DocumentNumber></a2a:SourceReference>
  <a2a:SourceAvailableScans><a2a:Scan><a2a:Uri>https://example.org/1</a2a:Uri></a2a:Scan>
  </a2a:SourceAvailableScans><a2a:RecordGUID>{g-1}</a2a:RecordGUID></a2a:Source>
</a2a:A2A>"""
BIRTH = """<A2A xmlns="http://Mindbus.nl/A2A"><Person pid="a"><PersonName>
<PersonNameFirstName>Piet</PersonNameFirstName></PersonName></Person>
<Event eid="e"><EventType>Geboorte</EventType></Event>
<RelationEP><PersonKeyRef>a</PersonKeyRef><EventKeyRef>e</EventKeyRef>
<RelationType>Kind</RelationType></RelationEP></A2A>"""
ANSWER = (
    "<?xml version='1.0'?><OAI-PMH><ListRecords>"
    f"<record><header><identifier>oai:1</identifier></header><metadata>{MARRIAGE}</metadata></record>"
    f"<record><header><identifier>oai:2</identifier></header><metadata>{BIRTH}</metadata></record>"
    "<record><header status='deleted'><identifier>oai:3</identifier></header></record>"
    "</ListRecords></OAI-PMH>"
)


class ListWriter(RecordStore):
    def __init__(self) -> None:
        self.collections: list[Collection] = []
        self.records: list[Record] = []

    def put_collection(self, collection: Collection) -> None:
        self.collections.append(collection)

    def write(self, groups: Sequence[Group], *, file: SourceFile | None = None) -> None:
        del file  # not asked for here
        self.records.extend(record for group in groups for record in group)


def read(folder: Path, text: str = ANSWER) -> tuple[ListWriter, ImportReport]:
    path = folder / "leiden.xml"
    path.write_text(text, encoding="utf-8")
    mapping = recognize(path)
    assert mapping
    writer = ListWriter()
    return writer, import_file(path, mapping, writer)


def test_each_record_type_has_a_collection(tmp_path: Path) -> None:
    writer, report = read(tmp_path)

    assert (report.read, report.accepted, report.refused) == (2, 2, 0)
    assert [(collection.name, collection.record_type) for collection in writer.collections] == [
        ("leiden_marriage", "marriage"),
        ("leiden_birth", "birth"),
    ]
    assert [record.id for record in writer.records] == ["{g-1}", "oai:2"]


def test_roles_dates_places_and_names_are_understood(tmp_path: Path) -> None:
    marriage = read(tmp_path)[0].records[0]
    groom, bride, father = marriage.personas

    assert (groom.role, groom.kin, groom.sex) == ("groom", "self", "m")
    assert (groom.names[0].surname, groom.names[0].prefix) == ("van der Berg", "van der")
    assert (groom.names[0].patronymic, groom.occupation) == ("Pietersz", "bakker")
    assert (bride.role, bride.sex) == ("bride", "f")
    assert father.names[0].given == ""  # NN is no name
    assert marriage.event.date
    assert str(marriage.event.date.start) == "1811-07-02"
    assert marriage.subtype == "registration"
    assert marriage.citation == "Erfgoed Leiden, no. 12"
    assert marriage.image == "https://example.org/1"
    assert ("Source.SourceType", "BS Huwelijk") in marriage.row


def test_a_relation_said_outright_is_kept(tmp_path: Path) -> None:
    _, bride, father = read(tmp_path)[0].records[0].personas

    assert relation_between(bride, father) == "parent"
    assert relation_between(father, bride) == "child"


def test_the_child_of_a_birth_is_the_one_it_is_about(tmp_path: Path) -> None:
    (child,) = read(tmp_path)[0].records[1].personas

    assert (child.kin, child.is_principal) == ("self", True)


def test_other_xml_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"leiden.xml:1: no A2A entry"):
        read(tmp_path, "<html><body/></html>")
