"""Tests for `forebear.normalize.spelling`."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forebear.normalize.spelling import (
    ascii_forms,
    is_initial,
    normalize_name,
    split_given,
    uncertain_pattern,
    uncertain_readings,
)

written_names = st.text(max_size=30) | st.text("ab?.,[]()'’ éÅß-_*1", max_size=20)


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("SMITH", "smith"),
        ("  Mary   Ann ", "mary ann"),
        ("O’BRIEN", "o'brien"),
        ("van der Berg", "van der berg"),
        ("e\u0301mile", "émile"),
        ("ST. JOHN", "st. john"),
        ("Wm.", "wm"),
    ],
)
def test_a_name_has_one_spelling(text: str, spelled: str) -> None:
    assert normalize_name(text) == spelled


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "-",
        "?",
        "??",
        "*",
        "_",
        "[blank]",
        "[illegible]",
        "(?)",
        "Unknown",
        "NN",
        "N.N.",
        "n.n",
        "N.K.",
        "Not Known",
        "- (Not Named)",
        "unnamed",
        "Infant",
        "Stillborn",
        "Still born",
    ],
)
def test_a_placeholder_is_no_name(text: str) -> None:
    assert normalize_name(text) == ""


@pytest.mark.parametrize("text", ["Blank", "Child", "Male", "Nunn", "A", "Unk-Smith"])
def test_a_name_that_resembles_a_placeholder_stays(text: str) -> None:
    assert normalize_name(text) == text.lower()


@pytest.mark.parametrize(
    ("text", "spelled"),
    [("JAMES?", "james"), ("CANVIN (?)", "canvin"), ("DELVE [?]", "delve"), ("Reeves ?", "reeves")],
)
def test_a_mark_of_doubt_is_dropped(text: str, spelled: str) -> None:
    assert normalize_name(text) == spelled


@pytest.mark.parametrize("text", ["b_ll", "win*", "?ies", "buckl[y_]", "exe [alias loveridge]"])
def test_letters_that_could_not_be_read_stay(text: str) -> None:
    assert normalize_name(text) == text


@given(written_names)
@example("a?\u0301")
@example("x (?) [sic]?")
def test_spelling_twice_is_spelling_once(text: str) -> None:
    assert normalize_name(normalize_name(text)) == normalize_name(text)


@given(st.text("abcdeéåüñ'- ", min_size=1, max_size=20))
def test_spelling_does_not_depend_on_case_or_composition(text: str) -> None:
    assert normalize_name(text.upper()) == normalize_name(text)
    assert normalize_name(unicodedata.normalize("NFD", text)) == normalize_name(text)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("müller", ("muller", "mueller")),
        ("søren", ("soren", "soeren")),
        ("weiß", ("weiss",)),
        ("ångström", ("angstrom", "aangstroem")),
        ("þórr", ("thorr",)),
        ("o'brien", ("obrien",)),
        ("mary-ann", ("maryann",)),
        ("van der berg", ("vanderberg",)),
        ("żółkiewski", ("zolkiewski",)),
        ("", ()),
    ],
)
def test_a_name_folds_with_accents_stripped_and_expanded(
    name: str, expected: tuple[str, ...]
) -> None:
    assert ascii_forms(name) == expected


@given(written_names)
def test_folds_are_distinct_and_made_of_ascii_letters_and_digits(text: str) -> None:
    forms = ascii_forms(normalize_name(text))

    assert all(fold.isascii() and fold.isalnum() and fold == fold.lower() for fold in forms)
    assert len(set(forms)) == len(forms)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Mary Ann", ("mary", "ann")),
        ("Mary-Ann", ("mary", "ann")),
        ("Wm.", ("wm",)),
        ("Wm.Henry", ("wm", "henry")),
        ("J. W.", ("j", "w")),
        ("J.W.", ("j", "w")),
        ("Mary *", ("mary",)),
        ("William (Jnr)", ("william",)),
        ("Mary (Minnie)", ("mary", "minnie")),
        ("Mary wife of Thomas", ("mary",)),
        ("A", ("a",)),
        ("Infant", ()),
        ("a child", ()),
        ("Infant son of Thos. Brown", ()),
        ("male child of John", ()),
        ("[blank]", ()),
    ],
)
def test_given_names_are_split(text: str, names: tuple[str, ...]) -> None:
    assert split_given(text) == names


@given(written_names)
def test_given_names_are_split_into_words_that_split_no_further(text: str) -> None:
    assert all(" " not in name and name for name in split_given(text))


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("j", True),
        ("j.", True),
        ("é", True),
        ("jo", False),
        ("", False),
        ("1", False),
        (".", False),
    ],
)
def test_an_initial_is_one_letter(token: str, expected: bool) -> None:
    assert is_initial(token) is expected


def test_an_uncertain_reading_is_written_out_or_matched() -> None:
    assert uncertain_readings("R[OA]B[IY]N") == ("ROBIN", "ROBYN", "RABIN", "RABYN")
    assert uncertain_readings("[abcdefghij][abcdefghij]")[:2] == ("aa", "ab")
    assert len(uncertain_readings("[abcdefghij][abcdefghij]")) == 16
    assert uncertain_readings("WIN*") == ()
    assert uncertain_pattern("Wil_{1,2}am").fullmatch("william")
    assert not uncertain_pattern("Wil_{1,2}am").fullmatch("wilam")


@pytest.mark.parametrize(
    ("written", "name"),
    [
        *(("Francº", "francisco"), ("Antª", "antonia"), ("Ant.º", "antonio"), ("Mª", "maria")),
        *(("Greg°", "gregorio"), ("Mª Antª", "maria antonia"), ("Wᵐ", "wm"), ("Jpª", "jpa")),
        ("1º de mayo", "1º de mayo"),
    ],
)
def test_a_raised_end_stands_for_the_name_it_shortens(written: str, name: str) -> None:
    assert normalize_name(written) == name
