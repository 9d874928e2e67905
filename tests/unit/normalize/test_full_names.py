"""Tests for `forebear.normalize.full_names` and the forms of names."""

import pytest

from forebear.normalize.full_names import parse_name
from forebear.normalize.name_forms.patronymics import father_of
from forebear.normalize.name_forms.uncertain import uncertain_pattern, uncertain_readings


@pytest.mark.parametrize(
    ("text", "given", "particle", "surname"),
    [
        ("Mary Ann Smith", "Mary Ann", "", "Smith"),
        ("Ludwig van Beethoven", "Ludwig", "van", "Beethoven"),
        ("Jeanne d'Arc", "Jeanne", "d'", "Arc"),
        ("Berg, Jan van der", "Jan", "van der", "Berg"),
        ("van der BERG Jan", "Jan", "van der", "BERG"),
        ("Angus Mac Donald", "Angus", "", "Mac Donald"),
        ("SMITH J W", "J W", "", "SMITH"),
        ("MARY SMITH", "MARY", "", "SMITH"),
        ("John /Smith/ Jr.", "John", "", "Smith"),
        ("José Martínez y García", "José", "", "Martínez y García"),
        ("Cornelis Dirksz van der Meer", "Cornelis", "van der", "Meer"),
        ("李明", "明", "", "李"),
        ("Smith, Jr., John", "John", "", "Smith"),
    ],
)
def test_a_name_is_split_where_its_surname_begins(
    text: str, given: str, particle: str, surname: str
) -> None:
    name = parse_name(text)

    assert (name.given, name.particle, name.surname) == (given, particle, surname)


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("Mary Ann wife of John Smith", "relation=wife spouse_given=John spouse_surname=Smith"),
        ("Mrs. Thos. Brown", "relation=wife spouse_given=Thos. spouse_surname=Brown"),
        ("Weduwe Jan Bakker", "relation=widow spouse_given=Jan spouse_surname=Bakker"),
        (
            "John s/o Thos & Mary Brown",
            "relation=son father_given=Thos father_surname=Brown mother_given=Mary",
        ),
        (
            "Thomas natural son of Ann Hall",
            "relation=son mother_given=Ann mother_surname=Hall",
        ),
        ("Mary Jones now Smith", "birth_surname=Jones"),
        ("Mary (née Jones) Smith", "birth_surname=Jones"),
        (
            "Mrs Elizabeth Brown late Green formerly White",
            "previous_surname=Green birth_surname=White",
        ),
        ("Ivan Petrovich Sidorov", "patronymic=Petrovich father_given=Petr"),
        (
            "Mary relict of the late John Smith",
            "relation=widow spouse_given=John spouse_surname=Smith",
        ),
    ],
)
def test_a_name_tells_of_relatives_and_former_names(text: str, relation: str) -> None:
    facts = " ".join(f"{key}={value}" for key, value in parse_name(text).relation)

    assert facts == relation


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("Infant Smith", {"infant", "unknown_given"}),
        ("UNKNOWN", {"unknown_given", "unknown_surname"}),
        ("J.W. Smith", {"initials"}),
        ("Widow Mary Brown", {"widow"}),
        ('Elizabeth "Betsy" Brown', {"nickname"}),
        ("Pierre Roy dit Lafleur", {"dit"}),
        ("Mary Smith-Jones", {"double_surname"}),
        ("John SM[IY]TH", {"ucf"}),
        ("Mary [sic] Ann Brown", {"editorial"}),
    ],
)
def test_a_name_says_what_is_special_about_it(text: str, flags: set[str]) -> None:
    assert parse_name(text).flags == flags


def test_the_order_of_the_source_decides_what_the_words_are() -> None:
    assert parse_name("María García López", order="spanish").surname == "García López"
    assert parse_name("Nagy János", order="surname_first").given == "János"
    assert parse_name("Ole Pedersen", order="patronymic").related("father_given") == "Peder"
    assert parse_name("Ole Pedersen").relation == ()
    assert parse_name("Maria Rossi di Carlo", order="italian").related("relation") == "daughter"


@pytest.mark.parametrize(
    ("patronymic", "father"),
    [
        *(("Larsdatter", "Lars"), ("Olofsdotter", "Olof"), ("Jansz", "Jan"), ("Hansen", "Hans")),
        *(("Andersson", "Anders"), ("Jónsson", "Jón"), ("Claesdr", "Claes"), ("Smith", "")),
    ],
)
def test_a_patronymic_names_the_father(patronymic: str, father: str) -> None:
    assert father_of(patronymic, is_custom=True) == father


def test_an_uncertain_reading_is_written_out_or_matched() -> None:
    assert uncertain_readings("R[OA]B[IY]N") == ("ROBIN", "ROBYN", "RABIN", "RABYN")
    assert uncertain_readings("[abcdefghij][abcdefghij]")[:2] == ("aa", "ab")
    assert len(uncertain_readings("[abcdefghij][abcdefghij]")) == 16
    assert uncertain_readings("WIN*") == ()
    assert uncertain_pattern("Wil_{1,2}am").fullmatch("william")
    assert not uncertain_pattern("Wil_{1,2}am").fullmatch("wilam")


@pytest.mark.parametrize(
    ("text", "particle", "surname"),
    [
        ("Cornelis in 't Veld", "in 't", "Veld"),
        ("Jan v. d. Berg", "v. d.", "Berg"),
        ("Ludwig von und zu Aufsess", "von und zu", "Aufsess"),
        ("Lorenzo de' Medici", "de'", "Medici"),
    ],
)
def test_a_particle_may_be_several_words(text: str, particle: str, surname: str) -> None:
    name = parse_name(text)

    assert (name.particle, name.surname) == (particle, surname)


def test_an_apostrophe_stays_as_it_was_written() -> None:
    assert parse_name("Patrick O’Neill").surname == "O’Neill"
    assert parse_name("Jeanne d’Arc").particle == "d’"


def test_a_title_of_two_words_is_no_marker() -> None:
    name = parse_name("Maj. Gen. Thomas Gray")

    assert (name.title, name.given, name.alias) == ("Maj. Gen.", "Thomas", "")


def test_letters_after_a_lone_surname_are_initials_and_no_degree() -> None:
    assert parse_name("Smith M A", order="surname_first").given == "M A"
    assert parse_name("John Smith M.A.").suffix == "M.A."


def test_a_widow_is_of_a_man_or_of_a_family() -> None:
    assert parse_name("Ana Torres viuda de Romero").related("spouse_surname") == "Romero"
    assert parse_name("Ana Torres viuda de Luis").related("spouse_given") == "Luis"


def test_two_names_of_different_sex_before_a_relative_are_given_name_and_surname() -> None:
    assert parse_name("Ann Lee daughter of Henry").surname == "Lee"
    assert parse_name("Mary Ann wife of John Smith").given == "Mary Ann"


def test_mrs_after_a_comma_is_married() -> None:
    assert "married" in parse_name("Lee, Mrs").flags


def test_n_n_is_no_initials_even_with_a_space() -> None:
    assert parse_name("N. N. Tate").given == ""


def test_a_name_at_birth_keeps_its_particle() -> None:
    assert parse_name("Marie Roche née de La Tour").related("birth_surname") == "de La Tour"


def test_capitals_show_a_surname_only_where_care_was_taken_with_them() -> None:
    assert parse_name("WILLIAM turner").surname == "turner"
    assert parse_name("TURNER William").surname == "TURNER"


def test_a_surname_in_slashes_is_read_like_any_other() -> None:
    wife = parse_name("Mrs. John /Hughes/")
    assert (wife.given, wife.related("spouse_given")) == ("", "John")
    assert parse_name("Mary (Polly) /Hughes/").alias == "Polly"
    assert parse_name("Pierre /Roy dit Desjardins/").surname == "Roy"


def test_a_nickname_may_stand_in_single_quotes() -> None:
    assert parse_name("William 'Bill' Hughes").alias == "Bill"
    assert parse_name("Jan van 't Hoff").particle == "van 't"
