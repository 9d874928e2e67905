"""Tests for `forebear.normalize.sound_keys`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.normalize.sound_keys import SoundRule, code_sounds, daitch_mokotoff, sound_rules

# The examples of jewishgen.org, avotaynu.com and Wikipedia that do not hang on rule RS.
PUBLISHED = {
    "Golden": "583600",
    "Alpert": "087930",
    "Breuer": "791900",
    "Haber": "579000",
    "Mannheim": "665600",
    "Mintz": "664000",
    "Topf": "370000",
    "Kleinmann": "586660",
    "Ben Aron": "769600",
    "Auerbach": "097400 097500",
    "Ohrbach": "097400 097500",
    "Lipshitz": "874400",
    "Lippszyc": "874400 874500",
    "Lewinsky": "876450",
    "Levinski": "876450",
    "Szlamawicz": "486740",
    "Shlamovitz": "486740",
    "Ceniow": "467000 567000",
    "Tsenyuv": "467000",
    "Holubica": "587400 587500",
    "Golubitsa": "587400",
    "Przemysl": "746480 794648",
    "Pshemeshil": "746480",
    "Rosochowaciec": "944744 944745 944754 944755 945744 945745 945754 945755",
    "Rosokhovatsets": "945744",
    "Moskowitz": "645740",
    "Moskovitz": "645740",
    "Jackson": "145460 154600 445460 454600",
    "Jackson-Jackson": "154654 154645 154644 145465 145464 454654 454645 454644 445465 445464",
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_examples_have_their_published_codes(name: str) -> None:
    assert daitch_mokotoff(name.lower()) == set(PUBLISHED[name].split())


@pytest.mark.parametrize(
    ("name", "published", "ours"),
    [
        ("peters", {"739400", "734000"}, {"739400"}),
        ("peterson", {"739460", "734600"}, {"739460"}),
        ("gerschfeld", {"547830", "545783", "594783", "594578"}, {"594783"}),
    ],
)
def test_without_rule_rs_a_name_loses_the_codes_of_that_rule_alone(
    name: str, published: set[str], ours: set[str]
) -> None:
    either = ("94", "4")
    with_rs = sound_rules() | {"rs": SoundRule(either, either, either)}

    assert code_sounds(name, with_rs) == published
    assert daitch_mokotoff(name) == ours


def test_the_false_friends_of_rule_rs_are_apart() -> None:
    assert not daitch_mokotoff("gierszlik") & daitch_mokotoff("gotsalk")


def test_accents_spaces_and_apostrophes_make_no_difference() -> None:
    assert daitch_mokotoff("müller") == daitch_mokotoff("muller")
    assert daitch_mokotoff("o'brien") == daitch_mokotoff("o brien") == daitch_mokotoff("obrien")


@pytest.mark.parametrize("name", ["", " ", "-", "123"])
def test_a_name_without_letters_has_no_code(name: str) -> None:
    assert daitch_mokotoff(name) == frozenset()


@given(st.text(max_size=20))
def test_codes_are_six_digits(name: str) -> None:
    assert all(len(code) == 6 and code.isdigit() for code in daitch_mokotoff(name))


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12))
def test_every_name_has_a_code(name: str) -> None:
    assert daitch_mokotoff(name)
