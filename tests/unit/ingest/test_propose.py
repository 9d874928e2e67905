"""Tests for `forebear.ingest.propose`: a mapping for a table that has none."""

import csv
import io
from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear.ingest.headings import read_heading
from forebear.ingest.mapping import Mapping, parse_mapping
from forebear.ingest.propose import Proposal, propose_mapping
from forebear.ingest.understand import CellCleaner

MARRIAGES = """ref,wedding_date,parish,County,groom_forenames,groom_surname,groom_age,\
bride_forenames,bride_surname,bride_father,witness1_name,witness2_name,foo
1,2 Jul 1841,Layham,Suffolk,Thomas,Green,23,Mary,Brown,William Brown,A B,C D,x
2,3 Aug 1842,Layham,Suffolk,John,Smith,30,Ann,Jones,,E F,,y
3,9 Sep 1843,Raydon,Suffolk,Wm,White,full,Jane,Black,Saml Black,,,z
"""


def propose(folder: Path, text: str, name: str = "table.csv") -> tuple[Proposal, Mapping]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    proposal = propose_mapping(path)
    return proposal, parse_mapping(proposal.to_toml())


@pytest.mark.parametrize(
    ("column", "people", "fact", "events"),
    [
        ("father_forename", ("father",), "given", ()),
        ("Where Born", (), "place", ("birth",)),
        ("DateOfDeath", (), "date", ("death",)),
        ("First Name", (), "given", ()),
        ("birthplace", (), "place", ("birth",)),
        ("relation_to_head", ("head",), "relation", ()),
        ("groom_father_surname", ("groom", "father"), "surname", ()),
    ],
)
def test_a_heading_says_whose_fact_it_is(
    column: str, people: tuple[str, ...], fact: str, events: tuple[str, ...]
) -> None:
    heading = read_heading(column)

    assert (heading.people, heading.fact, heading.events) == (people, fact, events)


def test_a_table_of_marriages_is_understood(tmp_path: Path) -> None:
    proposal, mapping = propose(tmp_path, MARRIAGES)

    assert mapping.collection.record_type == "marriage"
    assert mapping.record.id == ("ref",)
    assert mapping.record.date == ("wedding_date",)
    assert mapping.record.place == ("parish", "County")
    assert [(persona.role, persona.kin, persona.sex) for persona in mapping.persona] == [
        ("groom", "self", "m"),
        ("bride", "spouse", "f"),
        ("bride father", "parent_in_law", "m"),
        ("witness", "other", None),
        ("witness", "other", None),
    ]
    assert proposal.unused == ["foo"]


def test_what_is_unsure_is_said(tmp_path: Path) -> None:
    text = (
        "Surname,Forenames,Sex,when\nGreen,Ann,12,1 May 1850\nBrown,Eve,13,2 May 1850\nX,Y,1,1850\n"
    )

    proposal, mapping = propose(tmp_path, text)

    assert mapping.record.date == ("when",)
    assert mapping.persona[0].sex_column == ()
    doubts = "\n".join(proposal.doubts)
    assert "the record type 'census' is a guess" in doubts
    assert "'when' is taken for the date, because its cells look like one" in doubts
    assert "'Sex' should be the sex, but many cells are not" in doubts
    assert "no column is an id" in doubts
    assert all(f"# unsure: {doubt}" in proposal.to_toml() for doubt in proposal.doubts)


def test_people_without_a_name_are_a_doubt_whatever_their_headings(tmp_path: Path) -> None:
    text = 'name,"Father\nage",Father occupation\nAnn Green,30,miller\n'

    proposal, mapping = propose(tmp_path, text)

    assert [persona.role for persona in mapping.persona] == ["person"]
    expected = "'Father\\nage', 'Father occupation': about the father, whose name is in no column"
    assert any(expected in doubt for doubt in proposal.doubts)


def test_an_id_must_differ_in_all_rows(tmp_path: Path) -> None:
    text = "file,entry,name\na,1,Ann Green\na,2,Eve Brown\nb,1,Jane White\n"

    _, mapping = propose(tmp_path, text)

    assert mapping.record.id == ("file", "entry")


def test_a_relation_beside_a_relative_is_read_from_the_relative(tmp_path: Path) -> None:
    text = (
        "burial_date,forename,surname,relationship,relative_forename\n"
        "1 May 1850,Ann,Green,wife of,John\n2 May 1850,Tom,Brown,son of,Saml\n"
    )

    _, mapping = propose(tmp_path, text)

    dead, relative = mapping.persona
    assert (dead.sex_column, relative.relation_reversed) == (("relationship",), ("relationship",))


def test_a_column_is_no_place_only_because_it_speaks_of_an_event(tmp_path: Path) -> None:
    text = "name,cause_of_death,died_at\nAnn Green,fever,Layham\nEve Brown,age,Raydon\n"

    proposal, mapping = propose(tmp_path, text, "deaths.csv")

    assert mapping.record.place == ("died_at",)
    assert proposal.unused == ["cause_of_death"]


def test_a_table_without_names_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column looks like a person's name"):
        propose(tmp_path, "latitude,longitude\n1,2\n")


def test_a_husband_and_a_wife_beside_a_deceased_are_no_marriage(tmp_path: Path) -> None:
    text = (
        "event_date,burial_place,deceased_name,deceased_lastname,husband_name,wife_name\n"
        "1 May 1850,Layham,Ann,Green,John,\n2 May 1850,Layham,Tom,Brown,,Eve\n"
    )

    _, mapping = propose(tmp_path, text, "entierros.csv")

    assert mapping.collection.record_type == "burial"
    assert mapping.persona[0].role == "deceased"


@pytest.mark.parametrize(
    ("name", "head", "doubt"),
    [
        ("t.csv", "given,surname,foo", "'census' is a guess: no heading suggests one"),
        ("t.csv", "given,surname,trial_date", "'court' is a guess: only one heading"),
        ("inquests.csv", "given,surname,death_place", "'court' is a guess: the headings also"),
        ("t.csv", "deceased_given,deceased_surname", "'burial' is a guess: the headings only say"),
    ],
)
def test_a_type_that_rests_on_little_is_a_doubt(
    tmp_path: Path, name: str, head: str, doubt: str
) -> None:
    columns = head.split(",")
    row = {"trial_date": "1 May 1850"}
    rows = [",".join(row.get(column, f"Ann{n}") for column in columns) for n in range(3)]

    proposal, _ = propose(tmp_path, "\n".join([head, *rows]) + "\n", name)

    assert any(doubt in line for line in proposal.doubts)


def test_columns_that_are_guessed_are_doubts(tmp_path: Path) -> None:
    text = (
        "id,forename,surname,proved_by_surname,enlist_age,birth_place\n"
        "1,Ann,Green,Hill,20,17\n2,Tom,Brown,Wood,21,18\n"
    )

    proposal, mapping = propose(tmp_path, text, "census.csv")

    doubts = "\n".join(proposal.doubts)
    assert "'surname', 'proved_by_surname' are all the person's surname" in doubts
    assert "'enlist_age' is taken for the age, but 'enlist' in it is not understood" in doubts
    assert "'birth_place' should be the place, but many cells are not" in doubts
    assert mapping.persona[0].events == {}


def test_a_child_without_a_surname_has_that_of_its_parents(tmp_path: Path) -> None:
    text = "baptism_date,forename,father_surname,mother_surname\n1 May 1850,Ann,Green,Hill\n"

    proposal, mapping = propose(tmp_path, text, "baptisms.csv")

    assert mapping.persona[0].surname == ("father_surname", "mother_surname")
    assert "the child has no surname: it is taken from the parents" in proposal.doubts


def test_a_middle_name_is_joined_to_the_first(tmp_path: Path) -> None:
    text = "first_name,middle_name,last_name\nJohn,William,Green\nAnn,,Hill\nEve,May,Wood\n"

    proposal, mapping = propose(tmp_path, text, "census.csv")

    assert mapping.joined["person_given_names"].columns == ("first_name", "middle_name")
    assert mapping.persona[0].given == ("person_given_names",)
    assert proposal.unused == []


@pytest.mark.parametrize(
    "headings",
    ["nombre,apellido_1,apellido_2", "name,surname,second_surname", "nombre,paterno,materno"],
)
def test_a_second_surname_is_joined_to_the_first(tmp_path: Path, headings: str) -> None:
    columns = headings.replace("paterno", "apellido_paterno").replace("materno", "apellido_materno")
    text = f"{columns}\nDiego,Barroso,Lopez\nJuana,Quispe,Huaman\n"

    _, mapping = propose(tmp_path, text, "bautismos.csv")

    (joined,) = mapping.joined.values()
    assert joined.columns == tuple(columns.split(",")[1:])


def test_two_spellings_of_a_surname_are_not_joined(tmp_path: Path) -> None:
    text = "forename,surname,other_surname\nJohn,Thurlow,Thurlowe\nAnn,Hill,Hills\n"

    _, mapping = propose(tmp_path, text, "census.csv")

    assert mapping.joined == {}
    assert mapping.persona[0].surname == ("surname", "other_surname")


def test_another_name_beside_the_parts_is_used_and_doubted(tmp_path: Path) -> None:
    text = "forename,surname,religious_name\nJohn,Green,Anselm\nAnn,Hill,Agnes\n"

    proposal, mapping = propose(tmp_path, text, "census.csv")

    assert mapping.persona[0].alias == ("religious_name",)
    assert any("'religious_name' is taken for another name" in doubt for doubt in proposal.doubts)


def test_a_whole_name_beside_its_parts_is_left_out_and_named(tmp_path: Path) -> None:
    text = "forename,surname,full_name\nJohn,Green,John Green\nAnn,Hill,Ann Hill\n"

    proposal, _ = propose(tmp_path, text, "census.csv")

    assert proposal.unused == ["full_name"]
    assert "'full_name' repeats the name of the person; not used" in proposal.doubts


def test_a_godfather_and_a_godmother_are_two_people(tmp_path: Path) -> None:
    text = "name,godfather_name,godmother_name\nAnn Green,John Hill,Eve Wood\n"

    _, mapping = propose(tmp_path, text, "baptisms.csv")

    assert [(persona.role, persona.sex) for persona in mapping.persona[1:]] == [
        ("godfather", "m"),
        ("godmother", "f"),
    ]


def test_a_household_whose_number_starts_again_in_each_file_has_the_file_before_it(
    tmp_path: Path,
) -> None:
    rows = "a,1,1,Ann\na,1,2,Eve\na,2,3,Joe\nb,1,1,Sam\n"

    _, mapping = propose(tmp_path, f"file,household,entry,name\n{rows}", "census.csv")

    assert mapping.record.group == ("file", "household")


CENSUS = """birth_county_verbatim,file,household,surname,forenames,relation,parish,birth_county
CON,CON-Cornwall/RG102267.VLD,1,PINCH,William,Head,Roche,CON
DEV,CON-Cornwall/RG102267.VLD,1,PINCH,Jane,Wife,Roche,DEV
DUR,DUR/RG093730.VLD,2,BIRTLE,Ann,Head,Lanchester,INC
"""


def test_the_county_is_taken_from_files_that_are_called_by_its_code(tmp_path: Path) -> None:
    proposal, mapping = propose(tmp_path, CENSUS, "census.csv")

    assert mapping.record.place == ("parish", "county")
    assert [cleaned["county"] for cleaned in clean(mapping, CENSUS)] == ["CON", "CON", "DUR"]
    assert "file" not in proposal.unused
    assert "the county is taken from 'file', which begins with it" in proposal.doubts


def test_a_code_for_born_in_this_county_is_the_county_of_the_record(tmp_path: Path) -> None:
    _, mapping = propose(tmp_path, CENSUS, "census.csv")

    births = [cleaned["birth_county"] for cleaned in clean(mapping, CENSUS)]
    assert births == ["CON", "DEV", "DUR"]


def test_a_county_in_a_column_is_not_taken_from_files(tmp_path: Path) -> None:
    with_county = "\n".join(
        f"{line},{'county' if number == 0 else 'Devon'}"
        for number, line in enumerate(CENSUS.splitlines())
    )

    proposal, mapping = propose(tmp_path, with_county, "census.csv")

    assert mapping.record.place == ("parish", "county")
    assert proposal.derived == {}
    births = [cleaned["birth_county"] for cleaned in clean(mapping, with_county)]
    assert births == ["CON", "DEV", "Devon"]


@pytest.mark.parametrize("file", ["RG102267.VLD", "CONWAY/1.csv", "XYZ-1.csv", "Cornwall.csv"])
def test_files_without_a_code_give_no_county(file: str, tmp_path: Path) -> None:
    text = CENSUS.replace("CON-Cornwall/RG102267.VLD", file).replace("DUR/RG093730.VLD", file)

    proposal, mapping = propose(tmp_path, text, "census.csv")

    assert mapping.record.place == ("parish",)
    assert proposal.values == {}


def clean(mapping: Mapping, text: str) -> list[dict[str, str]]:
    """Return the cells of a table as a mapping reads them."""
    cleaner = CellCleaner(mapping)
    return [cleaner.clean(dict(row)) for row in csv.DictReader(io.StringIO(text))]
