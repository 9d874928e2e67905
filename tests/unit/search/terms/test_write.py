"""Tests for `forebear.search.terms.write`: what each persona of a record is written as."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from forebear.normalize.ages import read_age
from forebear.normalize.dates import read_date
from forebear.normalize.places import read_place
from forebear.records.record import Event, Name, Persona, Record
from forebear.search.terms.term import HAS, PersonaTerms, value_of
from forebear.search.terms.write import MAX_FAMILY

Write = Callable[..., dict[str, PersonaTerms]]
Fields = Callable[[PersonaTerms], dict[str, set[str]]]

LAYHAM = {"p:layham,suffolk,england", "p:suffolk,england", "p:england"}
HADLEIGH = {"p:hadleigh,suffolk,england", "p:suffolk,england", "p:england"}


def changed(record: Record, position: int, **facts: object) -> Record:
    """Return the record with other facts of one of its personas."""
    personas = list(record.personas)
    personas[position] = replace(personas[position], **facts)  # type: ignore[arg-type]
    return replace(record, personas=tuple(personas))


def test_a_child_is_written_with_all_that_its_baptism_says(
    write: Write, fields_of: Fields, baptism: Record
) -> None:
    written = fields_of(write(baptism)["child"])

    markers = written.pop("has")
    assert markers == set(written) - {"collection"}
    assert written == {
        "self.surname": {"brown"},
        "self.surname.initial": {"b"},
        "self.surname.dm": {"797600"},
        "self.surname.sound": {"n:bran", "s:b650"},
        "self.surname.shape": {"P1a3"},
        "self.given": {"mary"},
        "self.given.dm": {"690000"},
        "self.given.shape": {"Ka1g"},
        "self.given.initial": {"m"},
        "self.middle": {"ann"},
        "self.middle.initial": {"a"},
        "self.sex": {"f"},
        "father.given": {"john"},
        "father.given.dm": {"160000", "460000"},
        "father.given.initial": {"j"},
        "father.surname": {"brown"},
        "father.surname.dm": {"797600"},
        "father.occupation": {"weaver", "textiles"},
        "mother.given": {"ann"},
        "mother.given.dm": {"060000"},
        "mother.given.initial": {"a"},
        "mother.maiden": {"hall"},
        "mother.maiden.dm": {"580000"},
        "other.given": {"john", "ann"},
        "other.surname": {"brown", "hall"},
        "other.name": {"john brown", "ann hall"},
        "birth.date": {"1851", "1851-03", "1851-03-12", "--03-12"},
        "birth.year": {"1851"},
        "residence.place": LAYHAM,
        "residence.place.word": {"layham", "suffolk"},
        "event.date": {"1851", "1851-03", "1851-03-30", "--03-30"},
        "event.year": {"1851"},
        "event.place": {"p:saint andrew,layham,suffolk,england", *LAYHAM},
        "event.place.word": {"saint", "andrew", "layham", "suffolk"},
        "record.part": {"baptism/1850/child"},
        "record.role": {"child", "principal"},
        "record.coverage": {"p:suffolk,england"},
        "record.text": {"a", "twin", "weak"},
        "collection": {"baptism"},
    }


def test_a_father_on_a_baptism_has_a_wife_and_a_child_and_no_parents(
    write: Write, fields_of: Fields, baptism: Record
) -> None:
    written = fields_of(write(baptism)["father"])

    assert written["spouse.given"] == {"ann"}
    assert written["spouse.surname"] == {"hall"}
    assert written["child.given"] == {"mary"}
    assert written["self.occupation"] == {"weaver", "textiles"}
    assert written["record.role"] == {"father", "parent"}
    assert written["record.part"] == {"baptism/1850/father"}
    assert not written.keys() & {"father.given", "mother.given", "birth.year", "residence.place"}


def test_a_groom_has_his_bride_his_father_and_her_parents(
    write: Write, fields_of: Fields, wedding: Record
) -> None:
    written = fields_of(write(wedding)["groom"])

    assert written["spouse.given"] == {"mary"}
    assert written["spouse.given.initial"] == {"m"}
    assert written["spouse.given.dm"] == {"690000"}
    assert written["spouse.surname"] == {"brown"}
    assert written["spouse.surname.dm"] == {"797600"}
    assert written["father.given"] == {"james"}
    assert written["father.surname"] == {"green"}
    assert written["spouse_father.given"] == {"john"}
    assert written["spouse_father.surname"] == {"brown"}
    assert written["spouse_mother.given"] == {"ann"}
    assert written["spouse_mother.maiden"] == {"hall"}
    assert written["marriage.date"] == {"1875", "1875-06", "1875-06-02", "--06-02"}
    assert written["marriage.year"] == {"1875"}
    assert written["marriage.place"] == HADLEIGH
    assert written["marriage.place.word"] == {"hadleigh", "suffolk"}
    assert written["self.marital"] == {"single"}
    assert written["self.occupation"] == {"farmer", "agriculture"}
    assert written["birth.year.age"] == {"1849", "1850"}
    assert written["other.given"] == {"mary", "james", "john", "ann", "sarah"}
    assert "mother.given" not in written


def test_a_bride_sees_the_same_wedding_from_the_other_side(
    write: Write, fields_of: Fields, wedding: Record
) -> None:
    written = fields_of(write(wedding)["bride"])

    assert written["spouse.given"] == {"thomas"}
    assert written["father.given"] == {"john"}
    assert written["mother.given"] == {"ann"}
    assert written["mother.maiden"] == {"hall"}
    assert written["spouse_father.given"] == {"james"}
    assert written["marriage.year"] == {"1875"}
    assert "spouse_mother.given" not in written


@pytest.mark.parametrize(
    ("role", "child"),
    [("groom's father", "thomas"), ("bride's father", "mary"), ("bride's mother", "mary")],
)
def test_a_parent_at_a_wedding_has_a_child_and_no_wedding(
    write: Write, fields_of: Fields, wedding: Record, role: str, child: str
) -> None:
    written = fields_of(write(wedding)[role])

    assert written["child.given"] == {child}
    assert written["event.year"] == {"1875"}
    assert not {field for field in written if field.startswith("marriage.")}
    assert "principal" not in written["record.role"]


def test_a_witness_has_others_and_no_relatives(
    write: Write, fields_of: Fields, wedding: Record
) -> None:
    written = fields_of(write(wedding)["witness"])

    relatives = {"spouse", "father", "mother", "child", "sibling", "spouse_father"}
    assert not {field for field in written if field.split(".")[0] in relatives}
    assert "thomas green" in written["other.name"]
    assert "sarah hall" not in written["other.name"]


def test_a_wife_buried_without_a_surname_is_inferred_to_bear_her_husbands(
    write: Write, fields_of: Fields, burial: Record
) -> None:
    wife, husband = (fields_of(write(burial)[role]) for role in ("deceased", "husband"))

    assert wife["self.surname.inferred"] == {"green"}
    assert not wife.keys() & {"self.surname", "self.surname.dm"}
    assert "self.surname" not in wife["has"]
    assert "self.surname.inferred" not in husband
    assert wife["death.date"] == {"1911", "1911-01", "1911-01-30", "--01-30"}
    assert wife["death.year"] == {"1911"}
    assert wife["death.place"] == {"p:ipswich,suffolk,england", "p:suffolk,england", "p:england"}
    assert wife["death.place.word"] == {"ipswich", "suffolk"}
    assert wife["self.marital"] == {"married"}
    assert not husband.keys() & {"death.date", "death.year", "death.place"}


def test_a_surname_is_not_inferred_where_one_is_given(
    write: Write, fields_of: Fields, burial: Record
) -> None:
    named = changed(burial, 0, names=(Name(given="Mary"), Name(given="Mary", surname="Brown")))

    written = fields_of(write(named)["deceased"])

    assert written["self.surname"] == {"brown"}
    assert "self.surname.inferred" not in written


def test_the_rows_of_a_household_name_each_others_relatives(
    write: Write, fields_of: Fields, household: tuple[Record, ...]
) -> None:
    written = {role: fields_of(persona) for role, persona in write(*household).items()}

    assert written["head"]["spouse.given"] == {"mary"}
    assert written["head"]["child.given"] == {"wm", "ann"}
    assert written["wife"]["spouse.given"] == {"thomas"}
    assert written["wife"]["child.given"] == {"wm", "ann"}
    assert written["son"]["father.given"] == {"thomas"}
    assert written["son"]["mother.given"] == {"mary"}
    assert written["son"]["sibling.given"] == {"ann"}
    assert written["daughter"]["sibling.given"] == {"wm"}
    assert written["son"]["father.birthplace"] == HADLEIGH
    assert written["son"]["father.occupation"] == {"farmer", "agriculture"}
    assert written["lodger"]["other.given"] == {"thomas", "mary", "wm", "ann"}
    assert not {field for field in written["lodger"] if field.startswith(("father", "spouse"))}


def test_a_census_is_where_people_live(
    write: Write, fields_of: Fields, household: tuple[Record, ...]
) -> None:
    head = fields_of(write(*household)["head"])

    assert head["residence.place"] == {"p:high street,hadleigh,suffolk,england", *HADLEIGH}
    assert head["residence.place.word"] == {"high", "street", "hadleigh", "suffolk"}
    assert "event.place" not in head


def test_a_mother_on_a_census_has_no_maiden_name(
    write: Write, fields_of: Fields, household: tuple[Record, ...]
) -> None:
    """A widow stands there under her husband's name though no husband does."""
    widowed = (household[1], household[2])

    assert "mother.maiden" not in fields_of(write(*widowed)["son"])


@pytest.mark.parametrize("people", [MAX_FAMILY, MAX_FAMILY + 1])
def test_more_than_forty_people_are_no_family(
    write: Write, fields_of: Fields, household: tuple[Record, ...], people: int
) -> None:
    crowd = [
        replace(
            household[2],
            id=f"x{number}",
            personas=(replace(household[2].personas[0], role=f"son {number}"),),
        )
        for number in range(people - 2)
    ]

    written = fields_of(write(household[0], household[1], *crowd)["head"])

    assert ("spouse.given" in written) == (people <= MAX_FAMILY)
    assert ("other.given" in written) == (people <= MAX_FAMILY)


def test_every_field_has_its_marker_and_nothing_else_has_one(
    write: Write,
    fields_of: Fields,
    baptism: Record,
    wedding: Record,
    burial: Record,
    household: tuple[Record, ...],
) -> None:
    for group in ((baptism,), (wedding,), (burial,), household):
        for persona in write(*group).values():
            written = fields_of(persona)
            markers = {value_of(term) for term in persona if term.startswith(f"{HAS}=")}

            assert markers == written.keys() - {"has", "collection"}
            assert all("" not in values for values in written.values())


def test_nobody_is_written_who_has_no_name(write: Write, burial: Record) -> None:
    assert set(write(changed(burial, 1, names=()))) == {"deceased"}


def test_a_name_that_stands_for_none_leaves_no_term(
    write: Write, fields_of: Fields, burial: Record
) -> None:
    unnamed = changed(burial, 0, names=(Name(given="Infant", surname="Unknown"),))

    written = fields_of(write(unnamed)["deceased"])

    assert not {field for field in written if field.startswith(("self.given", "self.surname."))} - {
        "self.surname.inferred"
    }


@pytest.mark.parametrize(
    ("date", "part"),
    [
        ("1881", "baptism/1880/child"),
        ("1889", "baptism/1880/child"),
        ("bet 1879 and 1881", "baptism/1880/child"),
        ("bef 1850", "baptism/1850/child"),
        ("aft 1850", "baptism/undated/child"),
        ("", "baptism/undated/child"),
    ],
)
def test_a_part_is_the_collection_the_decade_and_the_role(
    write: Write, fields_of: Fields, baptism: Record, date: str, part: str
) -> None:
    dated = replace(baptism, event=replace(baptism.event, date=read_date(date) if date else None))

    assert fields_of(write(dated)["child"])["record.part"] == {part}


@pytest.mark.parametrize(
    ("age", "at", "dates", "years"),
    [
        ("30", "3 Apr 1881", {"1850", "1851"}, {"1850", "1851"}),
        ("30", "31 Dec 1881", {"1851"}, {"1851"}),
        ("30", "6 Jun 1841", {"180x", "181x"}, {str(year) for year in range(1806, 1812)}),
        ("14", "6 Jun 1841", {"1826", "1827"}, {"1826", "1827"}),
        ("of full age", "2 Jun 1875", None, {str(year) for year in range(1844, 1855)}),
        ("not stated", "3 Apr 1881", None, None),
    ],
)
def test_an_age_says_when_somebody_was_born(
    write: Write,
    fields_of: Fields,
    household: tuple[Record, ...],
    age: str,
    at: str,
    dates: set[str] | None,
    years: set[str] | None,
) -> None:
    stated = read_age(age, at=read_date(at), source="census")

    written = fields_of(write(changed(household[0], 0, age=stated))["head"])

    assert written.get("birth.date") == dates
    assert written.get("birth.year") == years
    assert written.get("birth.year.age") == years


def test_a_stated_birth_wins_over_the_age(
    write: Write, fields_of: Fields, household: tuple[Record, ...]
) -> None:
    born = Event(kind="birth", date=read_date("Mar 1848"))

    written = fields_of(write(changed(household[0], 0, events=(born,)))["head"])

    assert written["birth.date"] == {"1848", "1848-03"}
    assert written["birth.year"] == {"1848"}
    assert written["birth.year.age"] == {"1849", "1850"}


@pytest.mark.parametrize(
    ("father", "mother", "maiden"),
    [
        (("m", "Brown"), Name(given="Ann", surname="Hall"), {"hall"}),
        (("m", "Brown"), Name(given="Ann", surname="BROWN"), None),
        ((None, "Brown"), Name(given="Ann", surname="Brown"), None),
        (("m", "Brown"), Name(given="Ann", surname="Hall", kind="married"), None),
        (("m", "Brown"), Name(given="Ann"), None),
    ],
)
def test_a_mothers_maiden_name_is_any_that_is_not_the_fathers(
    write: Write,
    fields_of: Fields,
    baptism: Record,
    father: tuple[str | None, str],
    mother: Name,
    maiden: set[str] | None,
) -> None:
    sex, surname = father
    record = changed(baptism, 1, sex=sex, names=(Name(given="John", surname=surname),))

    written = fields_of(write(changed(record, 2, names=(mother,)))["child"])

    assert written.get("mother.maiden") == maiden
    assert written["mother.given"] == {"ann"}
    assert written["father.given"] == {"john"}


def test_a_wedding_told_on_another_record_is_written_too(
    write: Write, fields_of: Fields, household: tuple[Record, ...]
) -> None:
    """A census of 1911 gives the years married."""
    married = changed(household[0], 0, events=(Event(kind="marriage", date=read_date("cal 1875")),))

    written = fields_of(write(married)["head"])

    assert written["marriage.year"] == {"1874", "1875", "1876"}
    assert written["marriage.date"] == {"1875"}


def test_a_place_of_no_known_country_lies_nowhere_in_particular(
    write: Write, fields_of: Fields, household: tuple[Record, ...]
) -> None:
    wife = fields_of(write(*household)["wife"])

    assert wife["birth.place"] == {"p:layham", "p:"}
    assert wife["birth.place.word"] == {"layham"}


def test_every_name_of_a_person_is_written_and_each_of_two_surnames_has_its_sound(
    write: Write, fields_of: Fields, baptism: Record
) -> None:
    names = (
        Name(given="J. W.", surname="Smith-Jones", suffix="Jr.", title="Capt."),
        Name(given="Zoë", surname="Müller", kind="alias"),
    )

    written = fields_of(write(changed(baptism, 0, names=names, religion="Quaker"))["child"])

    assert written["self.surname"] == {"smith", "müller"}
    assert written["self.surname.dm"] == {"463000", "689000"}
    assert written["self.surname2"] == {"jones"}
    assert written["self.surname2.dm"] == {"164000", "464000"}
    assert written["self.surname2.initial"] == {"j"}
    assert written["self.surname.joined"] == {"smithjones"}
    assert written["self.given"] == {"j", "zoë"}
    assert written["self.given.initial"] == {"j.", "z"}
    assert written["self.middle"] == {"w"}
    assert written["self.middle.initial"] == {"w."}
    assert written["self.suffix"] == {"jr"}
    assert written["self.title"] == {"capt"}
    assert written["self.religion"] == {"quaker"}


def test_a_relatives_two_surnames_are_written_as_one_and_the_first_alone(
    write: Write, fields_of: Fields, baptism: Record
) -> None:
    names = (Name(given="Juan", surname="Barroso Perez"),)

    written = fields_of(write(changed(baptism, 1, names=names))["child"])

    assert written["father.surname"] == {"barroso perez", "barroso"}
    assert written["other.surname"] >= {"barroso perez", "barroso"}
    assert written["other.name"] >= {"juan barroso perez", "juan barroso"}


def test_an_abbreviated_county_is_the_same_place(
    write: Write, fields_of: Fields, baptism: Record
) -> None:
    place = read_place("Layham", "SFK").place

    moved = replace(baptism, event=replace(baptism.event, place=place))

    assert fields_of(write(moved)["child"])["event.place"] == LAYHAM


def test_the_subtype_of_a_record_is_written(
    write: Write, fields_of: Fields, baptism: Record
) -> None:
    adult = replace(baptism, subtype="adult")

    assert fields_of(write(adult)["child"])["record.subtype"] == {"adult"}


def test_somebody_of_no_kin_is_other_to_everybody(
    write: Write, fields_of: Fields, baptism: Record
) -> None:
    godparent = Persona(role="godparent", names=(Name(given="Eliza", surname="Cook"),))

    written = write(replace(baptism, personas=(*baptism.personas, godparent)))

    assert "eliza cook" in fields_of(written["child"])["other.name"]
    assert fields_of(written["child"])["father.given"] == {"john"}
