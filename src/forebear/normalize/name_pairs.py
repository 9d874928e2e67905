"""Are two names forms of one name, and for which reasons?

Each reason is a test, and they are in the order of their precision: the same spelling first, the
same sound last.  Two given names of different sexes are never one by their forms or looks, and two
names in common use that no table joins must sound alike to be one.

- An abbreviation is in the table, or follows the habit of clerks: the first letters and the last,
  raised (Fredk, Ebenr), X for Christ, a short given name in a surname (Robtson), a vowel missing
  (Johnsn).  The habit counts only where the short form is not itself a name.
- A misreading is one confusion of a reader, a scanner or a typist: a capital for one like it, a
  letter or group of letters for another of the same look, two neighboring letters exchanged.  Two
  names that are both in common use are not misreadings of each other: Hill is no Hull.
- Hebrew and Arabic leave the vowels to the reader, and use w and y for some of them.  Names in
  these scripts are compared by their consonants.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Literal

from anyascii import anyascii

from forebear.normalize.name_keys import daitch_mokotoff
from forebear.normalize.pronunciation import sounds_alike, spoken
from forebear.normalize.similarity import osa_distance
from forebear.normalize.spelling import ascii_forms, normalize_name
from forebear.normalize.surnames import without_particle
from forebear.normalize.variants import (
    FormKind,
    abbreviations,
    all_forms,
    differ_by_ending,
    forms_between,
    is_given_name,
    is_used_as_given,
    sex_of_given,
    surname_meanings,
    surname_spellings,
    surnames_abroad,
)
from forebear.records.record import Sex
from forebear.tables import read_table

NamePart = Literal["given", "surname"]
MAX_LENGTH = 100  # letters; longer text is prose
LONG_NAME = 8  # letters; in so long a name one letter may differ
MIN_ABBREVIATION = 3  # letters
MIN_EXCHANGED = 5  # letters; two exchanged in a shorter word make another word
MIN_SKELETON = 2  # consonants
_MAX_ABBREVIATION = 8
_FEMININE = ("a", "elle", "ette", "ine", "issa", "ah")
_SAINT = re.compile(r"^(?:st|saint|ste|sainte|sankt|snt)\b\.?\s*(?=\w)")
_CHRIST = re.compile(r"^x(?:r|p|t|s)?(?:o|to|t)?")
_SCANNED_DIGITS = (
    {"0": "o", "1": "l", "5": "s", "8": "b"},
    {"0": "o", "1": "i", "5": "s", "8": "b"},
)
_CONSONANTAL = re.compile(r"[\u0590-\u06ff]")
_DOUBLED = re.compile(r"(.)\1")
_CONSONANTS = (  # those that are transcribed in several ways, as one
    (re.compile(r"sch|sh|ts|tz|[cz](?=[eiy])|z"), "s"),
    (re.compile(r"[kc]h"), "h"),
    (re.compile(r"ph|f"), "p"),
    (re.compile(r"[cq]"), "k"),
    (re.compile(r"([tdg])h"), r"\1"),
    (re.compile(r"[aeiouvwy]|[^a-z]|h$"), ""),
)
Test = Callable[[str, str], bool]


def reasons_to_join(first: str, second: str, *, kind: NamePart) -> tuple[str, ...]:
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
    if max(len(a), len(b)) > MAX_LENGTH or (kind == "given" and _differ_in_sex(a, b)):
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
    are_both_names = is_used_as_given(a) and is_used_as_given(b)
    return not are_both_names and sounds_alike(a, b)


def _is_surname_variant(a: str, b: str) -> bool:
    spellings, forms = surname_spellings(), without_particle(b)
    is_listed = any(
        not spellings[form].isdisjoint(forms) for form in without_particle(a) & spellings.keys()
    )
    return is_listed or (not _are_common(a, b) and _is_long_and_near(a, b))


def _is_surname_translation(a: str, b: str) -> bool:
    names = surnames_abroad()
    is_listed = any(
        not names[key].isdisjoint(without_particle(other))
        for one, other in ((a, b), (b, a))
        for key in without_particle(one)
        if key in names
    )
    return is_listed or _share_meaning(a, b) or _is_other_script(a, b)


def _share_meaning(a: str, b: str) -> bool:
    """Return whether two surnames translate a third, and differ at both ends: Fischer and Visser.

    Those alike at an end are mostly of one language, and two names in it: Becker and Beck,
    Jensen and Johansen.
    """
    meanings = surname_meanings()
    return any(
        one[:2] != other[:2]
        and one[-3:] != other[-3:]
        and not meanings[one].isdisjoint(meanings[other])
        for one in without_particle(a) & meanings.keys()
        for other in without_particle(b) & meanings.keys()
    )


def _is_surname_misreading(a: str, b: str) -> bool:
    return not _are_common(a, b) and is_misread(a, b)


def _is_surname_sound(a: str, b: str) -> bool:
    """Return whether surnames sound alike; two in common use must have the same first vowel."""
    if not sounds_alike(a, b):
        return False
    return not _are_common(a, b) or bool(_first_vowels(a) & _first_vowels(b))


def _first_vowels(name: str) -> frozenset[str]:
    groups = (re.search(r"[aeiouy]+", form.removeprefix("mak")) for form in spoken(name))
    return frozenset(group[0].replace("y", "i") for group in groups if group)


def _is_long_and_near(a: str, b: str) -> bool:
    """Return whether two long names of one beginning differ by a letter as spoken."""
    if min(len(a), len(b)) < LONG_NAME or a[0] != b[0]:
        return False
    vowels = "aeiouy"
    first_a, first_b = (next((c for c in name if c in vowels), "") for name in (a, b))
    forms_a, forms_b = ([form.replace("y", "i") for form in spoken(name)] for name in (a, b))
    is_near = any(osa_distance(x, y, limit=1) <= 1 for x in forms_a for y in forms_b)
    return is_near and (first_a == first_b or {first_a, first_b} == {"i", "y"})


def _is_other_script(a: str, b: str) -> bool:
    """Return whether one name is the other written in another script."""
    if _is_latin(a) == _is_latin(b):
        return False
    if sounds_alike(a, b) or forms_between(a, b) or share_consonants(a, b):
        return True
    return not daitch_mokotoff(a).isdisjoint(daitch_mokotoff(b))


def _is_latin(name: str) -> bool:
    return all(ord(letter) < 0x250 for letter in name if letter.isalpha())


def _are_common(a: str, b: str) -> bool:
    return all(not _common_surnames().isdisjoint(ascii_forms(name)) for name in (a, b))


def _share_core(a: str, b: str) -> bool:
    return not without_particle(a).isdisjoint(without_particle(b))


def _is_given_abbreviation(short: str, full: str) -> bool:
    """Return whether a normalized given name shortens another.

    >>> _is_given_abbreviation("thos", "thomas"), _is_given_abbreviation("jno", "jonathan")
    (True, False)
    """
    if full in abbreviations(short):
        return True
    if is_given_name(short) or not is_given_name(full) or not short.isascii():
        return False
    if short.startswith("x") and full.startswith("chris"):
        rest = _CHRIST.sub("", short).replace("f", "ph")
        return len(rest) >= 2 and full.endswith(rest) and not full.endswith("ian" + rest)
    return _keeps_both_ends(short.strip("."), full)


def _is_surname_abbreviation(short: str, full: str) -> bool:
    """Return whether a normalized surname shortens another.

    >>> _is_surname_abbreviation("robtson", "robertson")
    True
    >>> _is_surname_abbreviation("johnsn", "johnson")
    True
    """
    if _SAINT.match(short) and _SAINT.match(full):
        return _SAINT.sub("", short) == _SAINT.sub("", full)
    a, b = (ascii_forms(name)[:1] for name in (short, full))
    if not a or not b:
        return False
    written = {a[0], *_with_given_in_full(a[0])}
    return b[0] in written - {a[0]} or any(_lacks_vowels(form, b[0]) for form in written)


def _keeps_both_ends(short: str, full: str) -> bool:
    """Return whether the short form is the first letters of the full one, and its last or two."""
    if not MIN_ABBREVIATION < len(short) < len(full):
        return False
    if full.startswith(short[:-1]) and full[-1] == short[-1]:
        return True
    if full.startswith(short) or (full.startswith(short[:-2]) and full.endswith(short[-2:])):
        return True
    letters = iter(full[MIN_ABBREVIATION:])  # Nichls
    is_begun = len(short) > MIN_ABBREVIATION + 1 and full.startswith(short[:MIN_ABBREVIATION])
    return is_begun and all(letter in letters for letter in short[MIN_ABBREVIATION:])


def _lacks_vowels(short: str, full: str) -> bool:
    """Return whether the short form lacks vowels of later syllables, and nothing else."""
    if len(short) < 5 or len(short) >= len(full) or not full.startswith(short[:3]):
        return False
    inner = "".join(f"{c}?" if c in "aeiou" else re.escape(c) for c in full[3:-1])
    return re.fullmatch(re.escape(full[:3]) + inner + re.escape(full[-1]), short) is not None


def _with_given_in_full(surname: str) -> set[str]:
    """Return the surname with an abbreviated given name at its front written out."""
    return {
        name + surname[length:]
        for length in range(2, min(len(surname), _MAX_ABBREVIATION) + 1)
        for name in _abbreviated().get(surname[:length], ())
    }


@cache
def _abbreviated() -> dict[str, tuple[str, ...]]:
    """Return the full names of each abbreviation of a given name."""
    names: dict[str, tuple[str, ...]] = {}
    for form in all_forms():
        if form.kind == "abbreviation":
            names[form.form] = (*names.get(form.form, ()), form.name)
    return names


def is_misread(first: str, second: str) -> bool:
    """Return whether one normalized name is a likely misreading of the other.

    >>> is_misread("clark", "dark"), is_misread("moss", "mofs"), is_misread("smith", "jones")
    (True, True, False)
    """
    firsts, seconds = _letters(first), _letters(second)
    if firsts & seconds:
        return True
    return any(b in _confused(a) for a in firsts for b in seconds)


def _letters(name: str) -> frozenset[str]:
    """Return the letters of a name, with each way to take a digit."""
    letters = (ascii_forms(name.replace("ſ", "f")) or ("",))[0]
    return frozenset("".join(digits.get(c, c) for c in letters) for digits in _SCANNED_DIGITS)


def _confused(name: str) -> frozenset[str]:
    readings = set(_exchanged(name))
    for written, read in _confusions("capital"):
        if name.startswith(written):
            readings.add(read + name[len(written) :])
    for written, read in _confusions("small"):
        start = name.find(written, 1)
        while start >= 0:
            readings.add(name[:start] + read + name[start + len(written) :])
            start = name.find(written, start + 1)
        readings.add(name[:1] + name[1:].replace(written, read))
    return frozenset(readings)


def _exchanged(name: str) -> Iterator[str]:
    if len(name) < MIN_EXCHANGED:
        return
    for at in range(1, len(name) - 1):
        yield name[:at] + name[at + 1] + name[at] + name[at + 2 :]


@cache
def _confusions(place: str) -> tuple[tuple[str, str], ...]:
    """Return what is read for what, in either direction."""
    pairs = [
        (row["one"], row["other"])
        for row in read_table("normalize/names/misreadings")
        if row["place"] in (place, "any")
    ]
    return tuple(dict.fromkeys([*pairs, *((b, a) for a, b in pairs)]))


def share_consonants(first: str, second: str) -> bool:
    """Return whether one name, in Hebrew or Arabic letters, has the consonants of the other.

    >>> share_consonants("חיים", "chaim"), share_consonants("חיים", "moshe")
    (True, False)
    """
    if bool(_CONSONANTAL.search(first)) == bool(_CONSONANTAL.search(second)):
        return False
    skeleton = _consonants(first)
    return len(skeleton) >= MIN_SKELETON and skeleton == _consonants(second)


def _consonants(name: str) -> str:
    letters = anyascii(name).lower()
    if not _CONSONANTAL.search(name):
        letters = _DOUBLED.sub(r"\1", letters)
    for pattern, letter in _CONSONANTS:
        letters = pattern.sub(letter, letters)
    return letters


@cache
def _common_surnames() -> frozenset[str]:
    return frozenset(
        form
        for row in read_table("normalize/names/common_surnames")
        for form in ascii_forms(row["surname"])
    )


def _either_way(test: Test) -> Test:
    return lambda a, b: test(a, b) or test(b, a)


_GIVEN_TESTS: dict[str, Test] = {
    "abbrev": _either_way(_is_given_abbreviation),
    "nickname": _has_form("nickname"),
    "translated": _is_given_translation,
    "misread": _is_given_misreading,
    "variant": _is_given_variant,
    "phonetic": _is_given_sound,
}
_SURNAME_TESTS: dict[str, Test] = {
    "particle": _share_core,
    "abbrev": _either_way(_is_surname_abbreviation),
    "gendered": differ_by_ending,
    "translated": _is_surname_translation,
    "misread": _is_surname_misreading,
    "variant": _is_surname_variant,
    "phonetic": _is_surname_sound,
}
