"""Are two names forms of one name, and for which reasons?

Each reason is a test, and they stand in the order of their precision: the same spelling first,
the same sound last.  Two given names of different sexes are never one by their forms or looks,
and two names in common use that no table joins must sound alike to be one.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Literal

from forebear.normalize.given_names import is_given_name, is_used_as_given, sex_of_given
from forebear.normalize.likeness import osa_distance
from forebear.normalize.name_keys import daitch_mokotoff
from forebear.normalize.name_pairs.endings import differ_by_ending
from forebear.normalize.name_pairs.misreadings import is_misread
from forebear.normalize.name_pairs.shortened import is_given_abbreviation, is_surname_abbreviation
from forebear.normalize.name_pairs.skeletons import share_skeleton
from forebear.normalize.name_pairs.surname_cores import cores, share_core
from forebear.normalize.name_variants import FormKind, forms_between
from forebear.normalize.pronunciation import sounds_alike, spoken
from forebear.normalize.spelling import ascii_forms, normalize_name
from forebear.records.record import Sex
from forebear.tables import read_table

NameKind = Literal["given", "surname"]
LONGEST_NAME = 100  # letters; what is longer is prose
LONG_NAME = 8  # letters; in so long a name one letter may differ
_FEMININE = ("a", "elle", "ette", "ine", "issa", "ah")
Test = Callable[[str, str], bool]


def reasons_to_join(first: str, second: str, *, kind: NameKind) -> tuple[str, ...]:
    """Return why two names may be one, the most precise reason first; none if they are not.

    >>> reasons_to_join("Wm.", "William", kind="given")
    ('abbrev',)
    >>> reasons_to_join("Hill", "Hall", kind="surname")
    ()
    """
    a, b = normalize_name(first), normalize_name(second)
    if not a or not b:
        return ()
    if a == b:
        return ("same",)
    if not set(ascii_forms(a)).isdisjoint(ascii_forms(b)):
        return ("folded",)
    if max(len(a), len(b)) > LONGEST_NAME or (kind == "given" and _differ_in_sex(a, b)):
        return ()
    tests = _GIVEN_TESTS if kind == "given" else _SURNAME_TESTS
    return tuple(reason for reason, test in tests.items() if test(a, b))


def _differ_in_sex(a: str, b: str) -> bool:
    sexes = {_likely_sex(a, b), _likely_sex(b, a)}
    return {"f", "m"} <= sexes and not forms_between(a, b)


def _likely_sex(name: str, beside: str) -> Sex | None:
    """Return the sex of a name; one unknown to the tables has that of its ending."""
    if sex := sex_of_given(name):
        return sex
    if is_given_name(name):
        return None
    is_prophet = f"{name}h".endswith("iah") and beside in (name, f"{name}h")  # Josia, Josiah
    if name.endswith(_FEMININE) and not is_prophet and sex_of_given(beside) == "m":
        return "f" if not name.endswith("iah") else None
    return "m" if any(name + ending == beside for ending in _FEMININE) else None


def _has_form(*kinds: FormKind) -> Test:
    return lambda a, b: not forms_between(a, b).isdisjoint(kinds)


def _is_given_variant(a: str, b: str) -> bool:
    return "spelling" in forms_between(a, b) or _is_long_and_near(a, b)


def _is_given_translation(a: str, b: str) -> bool:
    forms = forms_between(a, b)
    if "abbreviation" in forms and not _has_letters_of(*sorted((a, b), key=len)):
        return False  # Jno is John, not Jonas
    return not forms.isdisjoint({"latin", "translation"}) or _is_other_script(a, b)


def _has_letters_of(short: str, full: str) -> bool:
    letters = iter(full)
    return all(letter in letters for letter in short)


def _is_given_misreading(a: str, b: str) -> bool:
    return not (is_used_as_given(a) and is_used_as_given(b)) and is_misread(a, b)


def _is_given_sound(a: str, b: str) -> bool:
    are_both_known = is_used_as_given(a) and is_used_as_given(b)
    return not are_both_known and sounds_alike(a, b)


def _is_surname_variant(a: str, b: str) -> bool:
    variants = _surname_variants()
    keys = [key for key in cores(a) if key in variants]
    is_listed = any(not variants[key].isdisjoint(cores(b)) for key in keys)
    return is_listed or (not _are_common(a, b) and _is_long_and_near(a, b))


def _is_surname_translation(a: str, b: str) -> bool:
    names = _surname_translations()
    is_listed = any(
        not names[key].isdisjoint(cores(other))
        for one, other in ((a, b), (b, a))
        for key in cores(one)
        if key in names
    )
    return is_listed or _share_meaning(a, b) or _is_other_script(a, b)


def _share_meaning(a: str, b: str) -> bool:
    """Say whether two surnames translate a third, and differ at both ends: Fischer and Visser.

    Those alike at an end are mostly of one language, and two names in it: Becker and Beck,
    Jensen and Johansen.
    """
    meanings = _surname_meanings()
    return any(
        one[:2] != other[:2]
        and one[-3:] != other[-3:]
        and not meanings[one].isdisjoint(meanings[other])
        for one in cores(a) & meanings.keys()
        for other in cores(b) & meanings.keys()
    )


def _is_surname_misreading(a: str, b: str) -> bool:
    return not _are_common(a, b) and is_misread(a, b)


def _is_surname_sound(a: str, b: str) -> bool:
    """Say whether surnames sound alike; two in common use must have the same first vowel."""
    if not sounds_alike(a, b):
        return False
    return not _are_common(a, b) or bool(_first_vowels(a) & _first_vowels(b))


def _first_vowels(name: str) -> frozenset[str]:
    groups = (re.search(r"[aeiouy]+", form.removeprefix("mak")) for form in spoken(name))
    return frozenset(group[0].replace("y", "i") for group in groups if group)


def _is_long_and_near(a: str, b: str) -> bool:
    """Say whether two long names of one beginning differ by a letter as spoken."""
    if min(len(a), len(b)) < LONG_NAME or a[0] != b[0]:
        return False
    vowels = "aeiouy"
    first_a, first_b = (next((c for c in name if c in vowels), "") for name in (a, b))
    forms_a, forms_b = ([form.replace("y", "i") for form in spoken(name)] for name in (a, b))
    is_near = any(osa_distance(x, y, limit=1) <= 1 for x in forms_a for y in forms_b)
    return is_near and (first_a == first_b or {first_a, first_b} == {"i", "y"})


def _is_other_script(a: str, b: str) -> bool:
    """Say whether one name is the other written in another script."""
    if _is_latin(a) == _is_latin(b):
        return False
    if sounds_alike(a, b) or forms_between(a, b) or share_skeleton(a, b):
        return True
    return not daitch_mokotoff(a).isdisjoint(daitch_mokotoff(b))


def _is_latin(name: str) -> bool:
    return all(ord(letter) < 0x250 for letter in name if letter.isalpha())


def _are_common(a: str, b: str) -> bool:
    return all(not _common_surnames().isdisjoint(ascii_forms(name)) for name in (a, b))


def _either_way(test: Test) -> Test:
    return lambda a, b: test(a, b) or test(b, a)


_GIVEN_TESTS: dict[str, Test] = {
    "abbrev": _either_way(is_given_abbreviation),
    "nickname": _has_form("nickname"),
    "translated": _is_given_translation,
    "misread": _is_given_misreading,
    "variant": _is_given_variant,
    "phonetic": _is_given_sound,
}
_SURNAME_TESTS: dict[str, Test] = {
    "particle": share_core,
    "abbrev": _either_way(is_surname_abbreviation),
    "gendered": differ_by_ending,
    "translated": _is_surname_translation,
    "misread": _is_surname_misreading,
    "variant": _is_surname_variant,
    "phonetic": _is_surname_sound,
}


@cache
def _surname_variants() -> dict[str, frozenset[str]]:
    variants: dict[str, frozenset[str]] = {}
    for row in read_table("normalize/surname_variants"):
        group = frozenset(fold for name in row["spellings"].split() for fold in ascii_forms(name))
        for name in group:
            variants[name] = variants.get(name, frozenset()) | group
    return variants


@cache
def _surname_translations() -> dict[str, frozenset[str]]:
    return {
        fold: frozenset(f for form in row["translations"].split() for f in ascii_forms(form))
        for row in read_table("normalize/surname_translations")
        for fold in ascii_forms(row["name"])
    }


@cache
def _surname_meanings() -> dict[str, frozenset[str]]:
    """Return, for a surname, the names that it translates."""
    meanings: dict[str, set[str]] = {}
    for name, translations in _surname_translations().items():
        for form in translations:
            meanings.setdefault(form, set()).add(name)
    return {form: frozenset(names) for form, names in meanings.items()}


@cache
def _common_surnames() -> frozenset[str]:
    return frozenset(
        fold
        for row in read_table("normalize/common_surnames")
        for fold in ascii_forms(row["surname"])
    )
