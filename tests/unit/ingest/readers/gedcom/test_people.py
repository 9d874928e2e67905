"""Tests for the people of a GEDCOM file: one record each, nothing of the file unsaid."""

import zipfile
from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear.ingest.readers.gedcom.people import GedcomSource
from forebear.ingest.readers.source import Entry, TargetCollections
from forebear.records.collections import Collection
from forebear.records.privacy import NEVER, public_years
from forebear.records.record import Record, relation_between

TREE = """0 HEAD
1 GEDC
2 VERS 5.5.1
1 CHAR UTF-8
0 @I1@ INDI
1 NAME John /Smith/
2 NPFX Rev.
1 SEX M
1 BIRT
2 DATE ABT 1820
2 PLAC Layham, Suffolk, England
1 OCCU Weaver
1 FAMS @F1@
1 FAMS @F2@
1 _FAV red
0 @I2@ INDI
1 NAME Mary /Brown/
2 _MARNM Smith
1 SEX F
1 FAMS @F1@
1 NOTE @N1@
1 SOUR @S1@
2 PAGE 12
0 @I3@ INDI
1 NAME Ann /Jones/
1 SEX F
1 FAMS @F2@
0 @I4@ INDI
1 NAME Thomas /Smith/
1 SEX M
1 FAMC @F1@
1 DEAT Y
0 @F1@ FAM
1 HUSB @I1@
1 WIFE @I2@
1 CHIL @I4@
1 MARR
2 DATE 2 JUL 1841
0 @F2@ FAM
1 HUSB @I1@
1 WIFE @I3@
0 @N1@ NOTE Twin of
1 CONC  Jane
0 @S1@ SOUR
1 TITL Layham register
1 REPO @R1@
0 @R1@ REPO
1 NAME Record Office
0 @U1@ SUBM
1 NAME A Submitter
0 TRLR
"""


def read(folder: Path, text: str = TREE) -> tuple[list[Entry], dict[str, int]]:
    path = folder / "tree.ged"
    path.write_text(text, encoding="utf-8")
    return read_file(path)


def read_file(path: Path) -> tuple[list[Entry], dict[str, int]]:
    collection = Collection(name="tree", title="Tree", record_type="family_tree")
    source = GedcomSource(path, TargetCollections(collection=collection))
    return list(source.entries()), source.lines()


@pytest.fixture
def records(tmp_path: Path) -> dict[str, Record]:
    entries, _ = read(tmp_path)
    return {record.id: record for entry in entries for record in entry.records}


def test_every_person_is_a_record_about_themselves(records: dict[str, Record]) -> None:
    assert list(records) == ["I1", "I2", "I3", "I4"]
    john = records["I1"].personas[0]
    assert (john.names[0].given, john.names[0].surname) == ("John", "Smith")
    assert (john.names[0].title, john.sex, john.occupation) == ("Rev.", "m", "Weaver")
    assert john.is_principal
    birth = records["I1"].event
    assert birth.date
    assert (birth.date.first_year, birth.date.last_year) == (1818, 1822)
    assert birth.place
    assert birth.place.levels == ("layham", "suffolk", "england")


def test_families_give_relatives_with_their_roles(records: dict[str, Record]) -> None:
    roles = [(persona.role, persona.key) for persona in records["I4"].personas]

    assert roles == [("self", "I4"), ("father", "I1"), ("mother", "I2")]
    assert [persona.role for persona in records["I1"].personas[1:]] == ["wife", "son", "wife"]


def test_a_second_wife_is_not_the_mother_of_the_first_one_s_son(
    records: dict[str, Record],
) -> None:
    people = {persona.key: persona for persona in records["I1"].personas}

    assert relation_between(people["I2"], people["I4"]) == "child"
    assert relation_between(people["I3"], people["I4"]) == "other"
    assert relation_between(people["I1"], people["I4"]) == "child"


def test_a_marriage_is_an_event_of_both(records: dict[str, Record]) -> None:
    for person in ("I1", "I2"):
        marriage = records[person].personas[0].event("marriage")
        assert marriage
        assert marriage.date
        assert str(marriage.date.start) == "1841-07-02"


def test_names_notes_and_sources_are_understood(records: dict[str, Record]) -> None:
    mary = records["I2"]

    assert [(name.surname, name.kind) for name in mary.personas[0].names] == [
        ("Brown", "birth"),
        ("Smith", "married"),
    ]
    assert mary.text == "Twin of Jane"
    assert mary.citation == "Layham register, 12"


def test_what_is_not_understood_is_kept_as_it_is(records: dict[str, Record]) -> None:
    assert ("INDI._FAV", "red") in records["I1"].row
    assert ("REPO.NAME", "Record Office") in records["I2"].row


def test_every_line_is_understood_kept_or_reported(tmp_path: Path) -> None:
    entries, lines = read(tmp_path)

    assert sum(lines.values()) == TREE.count("\n")
    assert lines["kept"] == 4  # _FAV, REPO with its name, the source's pointer to it
    assert [issue for entry in entries for issue in entry.warnings] == []
    assert lines["reported"] == 0


def test_header_and_submitter_are_no_warnings_but_an_unused_source_is(tmp_path: Path) -> None:
    text = "0 HEAD\n1 SOUR Gramps\n1 SUBM @U1@\n0 @U1@ SUBM\n1 NAME A\n0 @S9@ SOUR\n1 TITL X\n"
    entries, lines = read(tmp_path, f"{text}0 @I1@ INDI\n1 NAME A /B/\n0 TRLR\n")

    reported = [issue for entry in entries for issue in entry.warnings]
    assert [issue.reason for issue in reported] == ["not about a person, skipped: SOUR"]
    assert lines["reported"] == 2


def test_someone_said_to_be_dead_is_dead_without_a_date(records: dict[str, Record]) -> None:
    assert records["I4"].personas[0].event("death")


def test_people_with_one_cross_reference_are_both_kept(tmp_path: Path) -> None:
    text = "0 HEAD\n0 @I1@ INDI\n1 NAME A /B/\n0 @I1@ INDI\n1 NAME C /D/\n0 TRLR\n"

    entries, _ = read(tmp_path, text)

    assert [record.id for entry in entries for record in entry.records] == ["I1", "I1_4"]
    assert any("twice" in issue.reason for entry in entries for issue in entry.warnings)


def test_a_pointer_into_the_void_is_told(tmp_path: Path) -> None:
    text = "0 HEAD\n0 @I1@ INDI\n1 NAME A /B/\n1 FAMC @F9@\n0 TRLR\n"

    entries, _ = read(tmp_path, text)

    issue = next(issue for entry in entries for issue in entry.warnings)
    assert (issue.line, issue.reason) == (4, "points to nothing in the file")


def test_a_person_without_a_name_is_refused(tmp_path: Path) -> None:
    entries, lines = read(tmp_path, "0 HEAD\n0 @I1@ INDI\n1 SEX M\n0 TRLR\n")

    assert [entry.refusal.reason for entry in entries if entry.refusal] == ["no name at all"]
    assert lines == {"understood": 2, "kept": 0, "reported": 2}


def test_gedzip_holds_the_tree_inside(tmp_path: Path) -> None:
    path = tmp_path / "tree.gdz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("gedcom.ged", TREE)
        archive.writestr("photos/john.jpg", b"...")

    entries, _ = read_file(path)

    assert sum(len(entry.records) for entry in entries) == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "the file is empty"), ("name,place\nJohn,Layham\n", "this is not GEDCOM")],
)
def test_what_is_no_gedcom_is_refused_with_the_reason(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("line", "private", "masking"),
    [
        # His wives and his son name him.
        ("1 SEX M\n1 RESN privacy", {"I1"}, {"I1", "I2", "I3", "I4"}),
        ("1 SEX M\n1 RESN CONFIDENTIAL, LOCKED", {"I1"}, {"I1", "I2", "I3", "I4"}),
        ("1 SEX M\n1 RESN locked", set(), set()),
    ],
)
def test_a_person_marked_private_is_never_shown_to_the_public(
    tmp_path: Path, line: str, private: set[str], masking: set[str]
) -> None:
    entries, _ = read(tmp_path, TREE.replace("1 SEX M", line, 1))
    tree = Collection(name="tree", title="Tree", record_type="family_tree", last_year=1900)

    years = {r.id: public_years([r], tree) for entry in entries for r in entry.records}

    assert {name for name in years if years[name].masked == NEVER} == private
    assert {name for name in years if years[name].full == NEVER} == masking


def test_a_family_marked_private_hides_the_couple(tmp_path: Path) -> None:
    entries, lines = read(tmp_path, TREE.replace("1 WIFE @I3@", "1 WIFE @I3@\n1 RESN privacy"))
    tree = Collection(name="tree", title="Tree", record_type="family_tree", last_year=1900)

    years = {r.id: public_years([r], tree) for entry in entries for r in entry.records}

    assert years["I1"].masked == years["I3"].masked == NEVER
    assert lines["reported"] == read(tmp_path)[1]["reported"]


@pytest.mark.parametrize(
    ("version", "date", "days"),
    [
        ("5.5.1", "850", "0850-01-01 0850-12-31"),
        ("5.5.1", "ABT 987", "0985-01-01 0989-12-31"),
        ("5.5.1", "12 MAR 0907", "0907-03-12 0907-03-12"),
        ("5.5.1", "BET 850 AND 1010", "0850-01-01 1010-12-31"),
        ("7.0", "850", "0850-01-01 0850-12-31"),
        ("7.0", "12 MAR 95", "0095-03-12 0095-03-12"),
    ],
)
def test_years_before_1000_are_read_as_the_versions_write_them(
    tmp_path: Path, version: str, date: str, days: str
) -> None:
    tree = TREE.replace("5.5.1", version).replace("ABT 1820", date)

    entries, _ = read(tmp_path, tree)
    birth = entries[0].records[0].personas[0].events[0].date

    assert birth
    assert f"{birth.start} {birth.end}" == days
