"""Tests for `forebear.ingest.assemble` and `people`: what our own mappings make of a row."""

import re

import pytest

from forebear.errors import MappingError, RecordError
from forebear.ingest.assemble import ReadRecord, RecordReader
from forebear.ingest.find_mapping import load_mapping
from forebear.ingest.mapping import Mapping, parse_mapping
from forebear.ingest.readers.source import Row
from forebear.records.record import Name, Persona


def read(mapping: str | Mapping, line: int = 2, **cells: str) -> ReadRecord:
    chosen = load_mapping(mapping) if isinstance(mapping, str) else mapping
    values = {column: cells.get(column, "") for column in sorted(chosen.columns)}
    return RecordReader(chosen, file_name="some.csv").read(
        Row(line=line, headings=[*values], cells=[*values.values()])
    )


def by_role(row: ReadRecord) -> dict[str, Persona]:
    return {persona.role: persona for persona in row.record.personas}


def reasons(row: ReadRecord) -> list[str]:
    return [issue.reason for issue in row.warnings]


def test_a_baptism_has_the_child_as_self_and_two_parents() -> None:
    row = read(
        "freereg_baptisms", county="SFK", place="Layham", church="St Andrew PR",
        baptism_date="11 Feb 1732/3", birth_date="2 Feb 1732/3", forename="Mary", sex="F",
        father_forename="Wm", father_surname="COBBOLD", mother_forename="Eliz",
        mother_surname="THURLOW", father_occupation="Weaver", abode="Stone Street",
        notes="sojourners",
    )  # fmt: skip

    people = by_role(row)
    assert {role: person.kin for role, person in people.items()} == {
        "child": "self", "father": "parent", "mother": "parent",
    }  # fmt: skip
    assert [person.sex for person in people.values()] == ["f", "m", "f"]
    assert people["child"].names == (Name(given="Mary", surname="COBBOLD"),)
    assert people["child"].is_principal
    assert not people["father"].is_principal
    assert people["father"].occupation == "Weaver"
    assert people["mother"].names == (Name(given="Eliz", surname="THURLOW", kind="birth"),)
    assert row.record.text == "sojourners"
    assert row.warnings == ()


def test_the_event_of_a_record_has_its_date_and_the_whole_place() -> None:
    row = read(
        "freereg_baptisms", county="SFK", place="Layham", church="St Andrew PR",
        baptism_date="12 Mar 1851", forename="Mary", father_surname="COBBOLD",
    )  # fmt: skip

    event = row.record.event
    assert event.kind == "baptism"
    assert event.date is not None
    assert str(event.date.start) == "1851-03-12"
    assert event.place is not None
    assert event.place.levels[1:] == ("layham", "suffolk", "england")
    assert "PR" not in event.place.text


def test_an_abode_is_a_residence_inside_the_county() -> None:
    row = read(
        "freereg_baptisms", county="SFK", abode="Stone Street", forename="Ann",
        father_surname="COBBOLD",
    )  # fmt: skip

    residence = row.record.personas[0].event("residence")

    assert residence is not None
    assert residence.place is not None
    assert residence.place.levels == ("stone street", "suffolk", "england")


def test_a_county_without_an_abode_is_no_residence() -> None:
    row = read("freereg_baptisms", county="SFK", forename="Ann", father_surname="COBBOLD")

    assert row.record.personas[0].events == ()


def test_a_child_without_a_father_has_the_surname_of_the_mother() -> None:
    row = read("freereg_baptisms", forename="Ann", mother_forename="Mary", mother_surname="HINTON")

    people = by_role(row)
    assert people["child"].names == (Name(given="Ann", surname="HINTON"),)
    assert set(people) == {"child", "mother"}


def test_a_marriage_has_two_principals_their_fathers_and_witnesses() -> None:
    row = read(
        "freereg_marriages", marriage_date="4 Oct 1852", county="SFK", place="Layham",
        groom_forename="John", groom_surname="GREEN", groom_age="24", groom_condition="Batchelor",
        groom_parish="Raydon", bride_forename="Ann", bride_surname="COBBOLD", bride_age="full age",
        bride_condition="wd", groom_father_forename="Thos", groom_father_surname="GREEN",
        bride_father_forename="Wm", bride_father_surname="THURLOW", witness1_forename="Mary",
        witness1_surname="GREEN",
    )  # fmt: skip

    people = by_role(row)
    assert {role: person.kin for role, person in people.items()} == {
        "groom": "self", "bride": "spouse", "groom's father": "parent",
        "bride's father": "parent_in_law", "witness": "other",
    }  # fmt: skip
    assert {role for role, person in people.items() if person.is_principal} == {"groom", "bride"}
    assert (people["groom"].marital, people["bride"].marital) == ("single", "widowed")
    assert people["groom"].names[0].kind == "birth"
    assert people["bride"].names[0].kind == "married"
    age = people["groom"].age
    assert age is not None
    assert age.text == "24"
    assert age.born_to is not None
    assert age.born_to.year == 1828


@pytest.mark.parametrize(
    ("relationship", "sex", "marital", "father", "mother"),
    [
        ("son of", "m", "", ("father", "parent"), ("mother", "parent")),
        ("Dau of ", "f", "", ("father", "parent"), ("mother", "parent")),
        ("wife of", "f", "married", ("husband", "spouse"), ("wife", "spouse")),
        ("widow of", "f", "widowed", ("husband", "spouse"), ("wife", "spouse")),
        ("of", None, "", ("relative", "other"), ("relative", "other")),
    ],
)
def test_the_relationship_of_a_burial_places_the_relatives(
    relationship: str,
    sex: str | None,
    marital: str,
    father: tuple[str, str],
    mother: tuple[str, str],
) -> None:
    row = read(
        "freereg_burials", burial_date="1 May 1728", burial_forename="Francis",
        relationship=relationship, male_relative_forename="Robt", female_relative_forename="Ann",
        relative_surname="SEYAR",
    )  # fmt: skip

    deceased, man, woman = row.record.personas
    assert (deceased.kin, deceased.sex, deceased.marital) == ("self", sex, marital)
    assert (man.role, man.kin) == father
    assert (woman.role, woman.kin) == mother
    assert row.warnings == ()


def test_a_burial_without_a_surname_gets_none_from_the_relative() -> None:
    row = read(
        "freereg_burials", burial_forename="Ann", relationship="wife of",
        male_relative_forename="Thomas", relative_surname="ALLEN", burial_date="1 May 1728",
    )  # fmt: skip

    deceased, husband = row.record.personas
    assert deceased.names == (Name(given="Ann", kind="married"),)
    assert husband.names == (Name(given="Thomas", surname="ALLEN"),)


def census(**cells: str) -> ReadRecord:
    written = {
        "file": "CON-Cornwall/rg091544.vld", "rec": "7", "hh": "000003", "census_year": "1861",
        "parish": "Roche", "street": "Gracca", "uninhabited": "-", "surname": "PINCH",
        "forenames": "Jane", "relationship": "Wife", "condition": "M", "sex": "F", "age": "4",
        "age_unit": "m", "birth_county": "DEV", "birth_place": "Bere Ferrers", "notes": "-",
    }  # fmt: skip
    return read("freecen", **(written | cells))


def test_a_census_row_is_the_record_of_one_person_in_a_household() -> None:
    record = census().record

    person = record.personas[0]
    assert record.id == "CON-Cornwall/rg091544.vld:7"
    assert record.group == "CON-Cornwall/rg091544.vld:000003"
    assert (person.role, person.kin, person.sex, person.marital) == (
        "wife",
        "spouse",
        "f",
        "married",
    )
    assert person.names == (Name(given="Jane", surname="PINCH", kind="married"),)
    assert person.is_principal


def test_a_census_year_is_the_day_of_the_census() -> None:
    date = census().record.event.date

    assert date is not None
    assert (date.text, str(date.start), str(date.end)) == ("1861", "1861-04-07", "1861-04-07")
    assert date.precision == "day"


def test_the_county_of_a_census_is_cut_out_of_the_file_name() -> None:
    place = census().record.event.place

    assert place is not None
    assert place.levels == ("gracca", "roche", "cornwall", "england")


def test_an_age_is_joined_with_its_unit() -> None:
    age = census().record.personas[0].age

    assert age is not None
    assert age.text == "4 m"
    assert age.born_to is not None
    assert str(age.born_to) == "1860-12-07"


@pytest.mark.parametrize(
    ("place", "county", "levels"),
    [
        ("Bere Ferrers", "DEV", ("bere ferrers", "devon", "england")),
        ("-", "INC", ("cornwall", "england")),
        ("-", "SCT", ("scotland",)),
        ("-", "OUC", None),
        ("-", "-", None),
    ],
)
def test_a_birth_place_may_be_no_more_than_the_county(
    place: str, county: str, levels: tuple[str, ...] | None
) -> None:
    birth = census(birth_place=place, birth_county=county).record.personas[0].event("birth")

    assert (birth and birth.place and birth.place.levels) == levels


@pytest.mark.parametrize(
    "cells", [{"surname": "Uninhabited", "forenames": ""}, {"uninhabited": "b"}]
)
def test_a_house_without_people_is_refused(cells: dict[str, str]) -> None:
    with pytest.raises(RecordError, match="uninhabited"):
        census(**cells)


@pytest.mark.parametrize(("given", "surname"), [("", ""), ("-", "-"), ("unknown", "?")])
def test_a_row_that_names_nobody_is_refused(given: str, surname: str) -> None:
    with pytest.raises(RecordError, match="no name at all"):
        census(forenames=given, surname=surname)


@pytest.mark.parametrize(
    ("cells", "reason", "detail"),
    [
        ({"census_year": "soon"}, "census_year not understood", "'soon'"),
        ({"age": "xx"}, "age not understood", "'xx m'"),
        ({"sex": "Z"}, "sex not understood", "'Z'"),
        ({"condition": "Q"}, "condition not understood", "'Q'"),
        ({"relationship": "Herbal"}, "relationship not understood", "'Herbal'"),
        ({"rec": ""}, "no id in the source", "known as some.csv:2"),
    ],
)
def test_what_is_not_understood_is_a_warning_and_no_loss(
    cells: dict[str, str], reason: str, detail: str
) -> None:
    row = census(**cells)

    assert [(issue.line, issue.reason, issue.detail) for issue in row.warnings] == [
        (2, reason, detail)
    ]


def test_one_word_that_is_not_understood_is_one_warning() -> None:
    row = read(
        "freereg_burials", burial_forename="Betty", relationship="wifw of",
        burial_date="1 May 1728", male_relative_forename="Isaac", female_relative_forename="Ann",
    )  # fmt: skip

    assert reasons(row) == ["relationship not understood"]


def test_the_row_is_kept_as_it_stood_with_its_place_in_the_file() -> None:
    mapping = load_mapping("freereg_burials")
    values = {"burial_forename": " Betty ", "relationship": "-", "extra": "x"}

    row = RecordReader(mapping, file_name="a b.csv").read(
        Row(
            line=17,
            headings=[*values],
            cells=[*values.values()],
            fault="3 cells under 15 headings",
        )
    )

    assert dict(row.record.row) == values
    assert row.record.source == "a b.csv:17"
    assert row.record.id == "a_b.csv:17"
    assert reasons(row) == ["cells and headings differ"]


WHOLE_NAMES = parse_mapping("""
[collection]
name = "baptisms"
title = "Baptisms"
record_type = "baptism"
country = "England"

[record]
place = "parish"

[[persona]]
role = "child"
kin = "self"
principal = true
given = "forename"
surname = "surname"
events.birth = { place = "born" }

[[persona]]
role = "mother"
kin = "parent"
sex = "f"
name = "mother"
maiden = "formerly"
""")


@pytest.mark.parametrize(
    ("mother", "formerly", "names"),
    [
        ("Ann Green", "", (Name(given="Ann", surname="Green"),)),
        (
            "Ann Green",
            "Cobbold",
            (
                Name(given="Ann", surname="Green", kind="married"),
                Name(given="Ann", surname="Cobbold", kind="birth"),
            ),
        ),
        ("Ann", "Cobbold", (Name(given="Ann", surname="Cobbold", kind="birth"),)),
        ("Ann Cobbold", "COBBOLD", (Name(given="Ann", surname="Cobbold"),)),
    ],
)
def test_a_maiden_name_stands_beside_the_married_one(
    mother: str, formerly: str, names: tuple[Name, ...]
) -> None:
    row = read(WHOLE_NAMES, forename="John", surname="Green", mother=mother, formerly=formerly)

    assert by_role(row)["mother"].names == names


def test_the_country_of_a_collection_is_that_of_its_events_but_not_of_births() -> None:
    row = read(WHOLE_NAMES, forename="John", parish="Layham", born="Hadleigh")

    place, birth = row.record.event.place, row.record.personas[0].event("birth")
    assert place is not None
    assert place.levels == ("layham", "england")
    assert birth is not None
    assert birth.place is not None
    assert birth.place.levels == ("hadleigh",)


def test_an_unnamed_principal_stays_for_the_sake_of_the_named() -> None:
    row = read(WHOLE_NAMES, mother="Ann Green")

    assert [(person.role, len(person.names)) for person in row.record.personas] == [
        ("child", 0),
        ("mother", 1),
    ]


BURIALS = """
[collection]
name = "burials"
title = "Burials"
record_type = "burial"
[record]
id = "entry"
[[persona]]
role = "deceased"
kin = "self"
principal = true
name = "name"
"""


def test_a_relative_in_a_whole_name_is_on_the_record() -> None:
    people = by_role(read(parse_mapping(BURIALS), entry="1", name="Mary, wife of Thomas Green"))

    wife, husband = people["deceased"], people["husband"]
    assert wife.names == (Name(given="Mary"),)
    assert (wife.sex, wife.marital, wife.is_principal) == ("f", "married", True)
    assert husband.names == (Name(given="Thomas", surname="Green"),)
    assert (husband.kin, husband.sex, husband.is_principal) == ("spouse", "m", False)


def test_a_child_without_a_name_is_the_child_of_its_parents() -> None:
    people = by_role(
        read(parse_mapping(BURIALS), entry="1", name="Infant son of Henry & Ann Clark")
    )

    assert people["deceased"].names == ()
    assert people["deceased"].sex == "m"
    assert people["father"].names == (Name(given="Henry", surname="Clark"),)
    assert people["mother"].names == (Name(given="Ann"),)
    assert {people["father"].kin, people["mother"].kin} == {"parent"}


def test_other_names_in_a_whole_name_are_further_names() -> None:
    people = by_role(read(parse_mapping(BURIALS), entry="1", name="Mary Brown née Hall"))

    assert people["deceased"].names == (
        Name(given="Mary", surname="Brown", kind="married"),
        Name(given="Mary", surname="Hall", kind="birth"),
    )


def test_a_relative_with_columns_is_not_added_from_a_name() -> None:
    father = """
[[persona]]
role = "father"
kin = "parent"
sex = "m"
name = "father"
"""
    row = read(
        parse_mapping(BURIALS + father),
        entry="1",
        name="Ann daughter of Henry",
        father="Henry Clark",
    )

    assert [persona.role for persona in row.record.personas] == ["deceased", "father"]
    assert by_role(row)["father"].names == (Name(given="Henry", surname="Clark"),)


def test_a_mapping_says_in_which_order_whole_names_are() -> None:
    mapping = parse_mapping(BURIALS + 'order = "spanish"\n')

    (person,) = read(mapping, entry="1", name="María García López").record.personas

    assert person.names[0].surname == "García López"


JOINED = """
[collection]
name = "soldiers"
title = "Soldiers"
record_type = "census"

[joined.given_names]
columns = ["first", "middle"]

[joined.birth]
columns = ["year", "month"]
separator = "-"

[constants]
state = "Ohio"
country = "United States"

[values.month]
"9" = "09"

[record]
place = ["town", "state", "country"]

[[persona]]
role = "person"
principal = true
given = "given_names"
surname = "last"
events.birth = { date = "birth" }
"""


def test_joined_columns_have_the_values_of_those_that_are_filled() -> None:
    mapping = parse_mapping(JOINED)

    both = read(mapping, first="John", middle="William", last="Green", year="1840", month="9")
    one = read(mapping, first="John", last="Green", year="1840")

    assert mapping.columns == {"first", "middle", "last", "year", "month", "town"}
    assert both.record.personas[0].names[0].given == "John William"
    assert both.record.personas[0].events[0].date is not None
    assert str(both.record.personas[0].events[0].date.start) == "1840-09-01"
    assert one.record.personas[0].names[0].given == "John"
    assert one.warnings == ()


def test_a_constant_is_the_same_in_every_row() -> None:
    place = read(parse_mapping(JOINED), town="Dayton", last="Green").record.event.place

    assert place is not None
    assert place.levels == ("dayton", "ohio", "united states")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[joined.a]\ncolumns = ["b"]\n[joined.b]\ncolumns = ["x"]', "joined.a.columns"),
        ("[joined.a]\ncolumns = []", "joined.a.columns"),
        ('[joined.a]\ncolumns = ["x"]\n[constants]\na = "y"', "joined.a: another made column"),
        ('[joined.a]\ncolumns = ["x"]\n[values.a]\nx = "y"', "values.a: a joined column"),
    ],
)
def test_a_joined_column_that_cannot_be_made_is_refused(text: str, problem: str) -> None:
    with pytest.raises(MappingError, match=re.escape(problem)):
        parse_mapping(JOINED.split("[joined")[0] + text + "\n[[persona]]\nrole = 'p'\ngiven = 'x'")


def test_an_abode_that_is_another_county_is_that_county() -> None:
    residence = by_role(
        read(
            "freereg_baptisms", county="SOM", place="Paulton", forename="Mary",
            father_forename="Wm", father_surname="COBBOLD", abode="Devon",
        )
    )["father"].events[0]  # fmt: skip

    assert residence.place is not None
    assert residence.place.levels == ("devon", "england")


def test_an_abode_that_is_an_occupation_is_no_place() -> None:
    people = by_role(
        read(
            "freereg_baptisms", county="SOM", place="Paulton", forename="Mary",
            father_forename="Wm", father_surname="COBBOLD", abode="Veterinary Surgeon",
        )
    )  # fmt: skip

    assert people["father"].events == ()


def test_a_place_in_several_countries_is_a_warning() -> None:
    assert reasons(read("nsw_naturalization", Surname="Muller", NativePlace="Hessen")) == []
    assert reasons(read("nsw_naturalization", Surname="Muller", NativePlace="Limburg")) == [
        "NativePlace is in several countries"
    ]
