"""Tests for `forebear.normalize.name_pairs`."""

import pytest
from benchmarks.quality.name_pairs import LADDERS, level_of
from hypothesis import given
from hypothesis import strategies as st

from forebear.normalize.name_pairs import NamePart, is_misread, reasons_to_join
from forebear.normalize.names import read_name
from forebear.normalize.pronunciation import sounds_alike
from forebear.normalize.variants import differ_by_ending

names = st.text("abcdehiklmnorst'", min_size=1, max_size=9)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("Jon", "john", "variant"),
        ("Penelope", "Penelopy", "variant"),
        ("Benj.", "Benjamin", "abbrev"),
        ("Xtopher", "Christopher", "abbrev"),
        ("Sukey", "Susan", "nickname"),
        ("Wojciech", "Adalbert", "translated"),
        ("Иван", "Ivan", "folded"),
        ("משה", "Moses", "translated"),
        ("Charles", "Charlcs", "misread"),
        ("Joseph", "Josif", "phonetic"),
    ],
)
def test_given_names_are_joined_for_a_reason(first: str, second: str, reason: str) -> None:
    assert reason in reasons_to_join(first, second, kind="given")


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("Vandermeer", "van der Meer", "folded"),
        ("von Stein", "Stein", "particle"),
        ("McCarthy", "MacCarthy", "particle"),
        ("Robtson", "Robertson", "abbrev"),
        ("Dvořák", "Dvořáková", "gendered"),
        ("Schneider", "Taylor", "translated"),
        ("Warner", "Wamer", "misread"),
        ("Bailey", "Bayley", "variant"),
        ("Philips", "Fillips", "phonetic"),
    ],
)
def test_surnames_are_joined_for_a_reason(first: str, second: str, reason: str) -> None:
    assert reason in reasons_to_join(first, second, kind="surname")


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        *(("Francis", "Frances", "given"), ("Charles", "Charlotte", "given")),
        *(("Michael", "Michelle", "given"), ("Jane", "James", "given")),
        *(("Parker", "Barker", "surname"), ("Hall", "Hull", "surname")),
        *(("Patterson", "Peterson", "surname"), ("Harris", "Harrison", "surname")),
        *(("", "", "surname"), ("unknown", "Unknown", "given")),
    ],
)
def test_other_names_are_separate(first: str, second: str, kind: NamePart) -> None:
    assert reasons_to_join(first, second, kind=kind) == ()


def test_the_tests_of_a_reason_know_its_limits() -> None:
    assert not sounds_alike("price", "pearce")
    assert not sounds_alike("tarr", "thayer")
    assert not is_misread("walker", "waller")
    assert not differ_by_ending("smith", "smithers")


@given(names)
def test_a_name_is_joined_to_itself_at_the_first_level(name: str) -> None:
    at = level_of(name, name, kind="surname")

    assert (
        at == (0 if any(map(str.isalnum, name)) else None)
        or reasons_to_join(name, name, kind="surname") == ()
    )


@given(names, names)
def test_levels_are_climbed_the_same_from_either_side(first: str, second: str) -> None:
    for kind in LADDERS:
        assert level_of(first, second, kind=kind) == level_of(second, first, kind=kind)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("margery", "marjery"),
        ("zachariah", "zakariah"),
        ("hough", "huff"),
        ("stephen", "steven"),
        ("szwarc", "schwartz"),
        ("benoit", "benway"),
        ("ursula", "ersula"),
        ("levesque", "leveque"),
        ("macintyre", "mcintire"),
        ("beaufort", "bofort"),
        ("jung", "yung"),
    ],
)
def test_letters_that_some_speak_otherwise_are_tried_both_ways(first: str, second: str) -> None:
    assert sounds_alike(first, second)


@pytest.mark.parametrize(("first", "second"), [("emil", "emily"), ("nowak", "nowicki")])
def test_a_last_vowel_is_heard(first: str, second: str) -> None:
    assert not sounds_alike(first, second)


def test_a_doubled_consonant_makes_a_vowel_short_and_a_silent_e_long() -> None:
    assert not sounds_alike("black", "blake")
    assert not sounds_alike("ross", "rose")
    assert sounds_alike("cole", "coal")
    assert sounds_alike("scott", "scot")


def test_an_abbreviation_is_none_of_a_translation_without_its_letters() -> None:
    assert reasons_to_join("Jno", "Jonas", kind="given") == ()
    assert reasons_to_join("Cath", "Catharina", kind="given")


def test_a_surname_may_lack_several_vowels() -> None:
    assert "abbrev" in reasons_to_join("Andrsn", "Anderson", kind="surname")
    assert "abbrev" in reasons_to_join("Robtsn", "Robertson", kind="surname")


@pytest.mark.parametrize(("short", "full"), [("Theoph", "Theophilus"), ("Constce", "Constance")])
def test_a_given_name_may_be_broken_off_or_keep_its_last_two_letters(short: str, full: str) -> None:
    assert "abbrev" in reasons_to_join(short, full, kind="given")


def test_a_surname_in_use_as_given_name_is_another_name() -> None:
    assert reasons_to_join("Elias", "Ellis", kind="given") == ()
    assert read_name("Ellis").name.surname == "Ellis"


def test_two_common_surnames_that_sound_alike_have_the_same_first_vowel() -> None:
    assert reasons_to_join("Fuller", "Fowler", kind="surname") == ()
    assert "phonetic" in reasons_to_join("Wallace", "Wallis", kind="surname")


def test_two_translations_of_one_surname_are_joined_unless_of_one_language() -> None:
    assert "translated" in reasons_to_join("Fischer", "Visser", kind="surname")
    assert "translated" in reasons_to_join("Klein", "Petit", kind="surname")
    assert reasons_to_join("Becker", "Beck", kind="surname") == ()
    assert reasons_to_join("Jensen", "Johansen", kind="surname") == ()


def test_raised_letters_abbreviate_and_accents_make_another_name() -> None:
    assert reasons_to_join("Wᵐ", "William", kind="given") == ("abbrev",)
    assert reasons_to_join("Jas", "Jno", kind="given") == ()
    assert "nickname" in reasons_to_join("Jaś", "Jan", kind="given")


def test_a_script_without_vowels_is_read_by_its_consonants() -> None:
    assert "translated" in reasons_to_join("حداد", "Haddad", kind="surname")
    assert "translated" in reasons_to_join("רחל", "Rachel", kind="given")
    assert reasons_to_join("רחל", "Rebecca", kind="given") == ()


@pytest.mark.parametrize(("short", "full"), [("Nichls", "Nicholas"), ("Obad", "Obadiah")])
def test_an_abbreviation_has_letters_of_the_name_in_their_order(short: str, full: str) -> None:
    assert "abbrev" in reasons_to_join(short, full, kind="given")


def test_a_prophet_without_the_last_letter_is_no_woman() -> None:
    assert reasons_to_join("Josia", "Josiah", kind="given")
    assert reasons_to_join("Paul", "Paula", kind="given") == ()
