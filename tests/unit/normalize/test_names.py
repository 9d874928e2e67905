"""Tests for `forebear.normalize.names` and what it stands on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.cli.normalize import name_result
from forebear.normalize.names import _read_any, _read_ordinary, read_name
from forebear.normalize.surnames import father_of
from forebear.records.record import Name


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
    name = read_name(text).name

    assert (name.given, name.prefix) == (given, particle)
    assert name.surname.removeprefix(particle).strip() == surname


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
    answer = name_result({"text": text, "sex": "", "order": ""})

    assert answer["relation"] == relation.replace(" ", ";")


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
    assert read_name(text).flags == flags


def test_the_order_of_the_source_decides_what_the_words_are() -> None:
    assert read_name("María García López", order="spanish").name.surname == "García López"
    assert read_name("Nagy János", order="surname_first").name.given == "János"
    assert read_name("Ole Pedersen", order="patronymic").relatives[0].name.given == "Peder"
    assert read_name("Ole Pedersen").relatives == ()
    assert read_name("Maria Rossi di Carlo", order="italian").relatives[0].relation == "daughter"


@pytest.mark.parametrize(
    ("patronymic", "father"),
    [
        *(("Larsdatter", "Lars"), ("Olofsdotter", "Olof"), ("Jansz", "Jan"), ("Hansen", "Hans")),
        *(("Andersson", "Anders"), ("Jónsson", "Jón"), ("Claesdr", "Claes"), ("Smith", "")),
    ],
)
def test_a_patronymic_names_the_father(patronymic: str, father: str) -> None:
    assert father_of(patronymic, is_custom=True) == father


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
    name = read_name(text).name

    assert (name.prefix, name.surname) == (particle, f"{particle} {surname}")


def test_an_apostrophe_stays_as_it_was_written() -> None:
    assert read_name("Patrick O’Neill").name.surname == "O’Neill"
    assert read_name("Jeanne d’Arc").name.prefix == "d’"


def test_a_title_of_two_words_is_no_marker() -> None:
    reading = read_name("Maj. Gen. Thomas Gray")

    assert (reading.name.title, reading.name.given) == ("Maj. Gen.", "Thomas")
    assert reading.others == ()


def test_letters_after_a_lone_surname_are_initials_and_no_degree() -> None:
    assert read_name("Smith M A", order="surname_first").name.given == "M A"
    assert read_name("John Smith M.A.").name.suffix == "M.A."


def test_a_widow_is_of_a_man_or_of_a_family() -> None:
    assert read_name("Ana Torres viuda de Romero").relatives[0].name.surname == "Romero"
    assert read_name("Ana Torres viuda de Luis").relatives[0].name.given == "Luis"


def test_two_names_of_different_sex_before_a_relative_are_given_name_and_surname() -> None:
    assert read_name("Ann Lee daughter of Henry").name.surname == "Lee"
    assert read_name("Mary Ann wife of John Smith").name.given == "Mary Ann"


def test_mrs_after_a_comma_is_married() -> None:
    assert "married" in read_name("Lee, Mrs").flags


def test_n_n_is_no_initials_even_with_a_space() -> None:
    assert read_name("N. N. Tate").name.given == ""


def test_a_name_at_birth_keeps_its_particle() -> None:
    assert read_name("Marie Roche née de La Tour").others[0].surname == "de La Tour"


def test_capitals_show_a_surname_only_where_care_was_taken_with_them() -> None:
    assert read_name("WILLIAM turner").name.surname == "turner"
    assert read_name("TURNER William").name.surname == "TURNER"


def test_a_surname_in_slashes_is_read_like_any_other() -> None:
    wife = read_name("Mrs. John /Hughes/")
    assert (wife.name.given, wife.relatives[0].name.given) == ("", "John")
    assert read_name("Mary (Polly) /Hughes/").name.nickname == "Polly"
    assert read_name("Pierre /Roy dit Desjardins/").name.surname == "Roy"


def test_a_nickname_may_stand_in_single_quotes() -> None:
    assert read_name("William 'Bill' Hughes").name.nickname == "Bill"
    assert read_name("Jan van 't Hoff").name.prefix == "van 't"


@pytest.mark.parametrize(
    ("text", "given_name", "surname"),
    [
        ("Thomas Green", "Thomas", "Green"),
        ("Frederick John Verduzco", "Frederick John", "Verduzco"),
        ("Cordoba, Jhn", "Jhn", "Cordoba"),
        ("Jan van der Berg", "Jan", "van der Berg"),
        ("Van Morrison", "Van", "Morrison"),
        ("Thomas", "Thomas", ""),
        ("Mr Squire", "", "Squire"),
        ("Green,", "", "Green"),
        ("Thomas,", "", "Thomas"),
        ("", "", ""),
        ("Jan /van der Berg/", "Jan", "van der Berg"),
        ("/van der Berg/ Jan", "Jan", "van der Berg"),
        ("Jan /Berg", "Jan", "Berg"),
        ("Ann //", "Ann", ""),
        ("Jan Mateusz Nowak", "Jan Mateusz", "Nowak"),
        ("John Blank", "John", "Blank"),
        ("Mary, wife of Thomas Green", "Mary", ""),
        ("William Smith (senior)", "William", "Smith"),
        ("William Smith (of Layham)", "William", "Smith"),
    ],
)
def test_a_whole_name_has_a_given_name_and_a_surname(
    text: str, given_name: str, surname: str
) -> None:
    reading = read_name(text)

    assert (reading.name.given, reading.name.surname) == (given_name, surname)


@pytest.mark.parametrize(
    ("text", "title", "suffix"),
    [("Mʳ John Smith", "Mʳ", ""), ("Capᵗ John Smith", "Capᵗ", ""), ("John Smith Junʳ", "", "Junʳ")],
)
def test_titles_and_suffixes_may_have_raised_letters(text: str, title: str, suffix: str) -> None:
    name = read_name(text).name

    assert (name.title, name.given, name.surname, name.suffix) == (title, "John", "Smith", suffix)


@pytest.mark.parametrize(
    "text", ["Rev. Thomas Green Jr", "Green, Rev. Thomas Jr", "Rev. Thomas Green, Jr"]
)
def test_titles_and_suffixes_are_neither_given_name_nor_surname(text: str) -> None:
    name = read_name(text).name

    assert (name.title, name.given, name.surname, name.suffix) == ("Rev.", "Thomas", "Green", "Jr")


def test_a_name_at_birth_an_earlier_one_and_an_alias_are_other_names() -> None:
    married = read_name("Mary Brown née Hall")
    assert (married.name.surname, married.name.kind) == ("Brown", "married")
    assert married.others == (Name(given="Mary", surname="Hall", kind="birth"),)

    alias = read_name("Thomas Green alias Hill")
    assert (alias.name.surname, alias.name.kind) == ("Green", "birth")
    assert alias.others == (Name(given="Thomas", surname="Hill", kind="alias"),)
    assert read_name("Thomas Green alias John Hill").others[0].given == "John"
    assert read_name("Pierre Roy dit Le Grand").others[0].surname == "Le Grand"
    assert read_name("Mary Smith late Jones").others[0].kind == "married"


def test_only_a_name_at_birth_is_the_name() -> None:
    reading = read_name("Mary née Hall")

    assert (reading.name.surname, reading.name.kind, reading.others) == ("Hall", "birth", ())


def test_a_remark_in_brackets_is_no_name() -> None:
    assert read_name("William Smith (a pauper)").others == ()
    assert read_name("Mary (Jones) Smith").others[0].surname == "Jones"


@given(st.lists(st.text("bgkxBGK", min_size=2, max_size=8), max_size=6))  # no marker such as "geb"
def test_no_word_of_a_name_is_lost(parts: list[str]) -> None:
    name = read_name(" ".join(parts)).name

    words = [name.title, name.given, name.surname, name.suffix]
    assert sorted(" ".join(words).split()) == sorted(parts)  # capitals may be a surname in front


@given(
    st.lists(
        st.sampled_from(
            ["Mary", "THOMAS", "Green", "SMITH", "McDonald", "Jansz", "van", "Dr", "née"]
        )
        | st.text("abeinrstzABE", min_size=1, max_size=7),
        max_size=5,
    ),
    st.sampled_from([" ", ", "]),
)
def test_an_ordinary_name_is_read_the_same_in_the_short_way(words: list[str], mark: str) -> None:
    text = " ".join(words[:1]) + mark + " ".join(words[1:])

    ordinary = _read_ordinary(text, "birth")

    assert ordinary is None or ordinary == _read_any(text, None, "", "birth")
