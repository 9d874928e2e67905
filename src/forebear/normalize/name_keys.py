"""Which keys do names share that sound or look alike?

Soundex (Russell and Odell 1918, in the form of the United States census) has the first letter and
three digits for the consonants after it.  NYSIIS (Taft 1970, the New York State Identification and
Intelligence System) rewrites letters by sound, vowels as A, and is the more precise of the two.

Daitch-Mokotoff codes are six digits for the sounds of a name, designed for the names of central and
eastern Europe and good for others (Mokotoff, "Soundexing and Genealogy").  The table gives, for
groups of letters, the code at the start of the name, before a vowel, and elsewhere; the longest
group wins.  Neighbors with the same code count once.  Some groups may sound two ways, so a name has
several codes: Auerbach is 097400 and 097500.  The published rule RS (as RTZ or ZH) is not used, on
the advice of its author: it joins Gierszlik to Gotsalk.  So Peters is 739400 and not also 734000.

Shape keys are for handwriting: letters that a reader confuses form one class, so that misread names
share a key: tarr and farr, harnes and hames, clark and dark.  The first letter has the classes of
capitals.  Of the others, a run of letters with upright strokes (i r one, u n v two, m w three)
counts by half its strokes, so rn, in and m are one.  A name has two shape keys: letter by letter,
and with groups that look like one letter read as that letter.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from forebear.normalize.spelling import ascii_forms
from forebear.tables import read_table

_SOUNDEX_LENGTH = 4
_MAX_LETTERS = 200  # of a NYSIIS code; no name has more
_SOUNDEX_GROUPS = {1: "bfpv", 2: "cgjkqsxz", 3: "dt", 4: "l", 5: "mn", 6: "r"}
_SOUNDEX_DIGITS = {
    letter: str(digit) for digit, group in _SOUNDEX_GROUPS.items() for letter in group
}
_NYSIIS_STARTS = (
    ("mac", "mcc"),
    ("kn", "nn"),
    ("k", "c"),
    ("ph", "ff"),
    ("pf", "ff"),
    ("sch", "sss"),
)
_NYSIIS_ENDS = re.compile(r"(ee|ie)$|(dt|rt|rd|nt|nd)$")
CODE_LENGTH = 6
_VOWELS = frozenset("aeiou")
_CAPITALS = ("lstfijy", "cgeq", "khnmw", "prb", "do", "uv")
_SMALL = ("ao", "ec", "lt", "hkb", "gyqj", "sf")
_STROKES = {"i": 1, "r": 1, "u": 2, "n": 2, "v": 2, "m": 3, "w": 3}
_LOOK_ALIKE_GROUPS = (
    *(("fs", "ss"), ("ff", "f"), ("cl", "d"), ("li", "h"), ("vv", "w"), ("ie", "ei")),
    *(("ee", "u"), ("tt", "ll")),
)
_FIRST = {letter: group[0].upper() for group in _CAPITALS for letter in group}
_LATER = {letter: group[0] for group in _SMALL for letter in group}
_RUN = re.compile("[iruvnmw]+|.")
_SCANNED_DIGITS = str.maketrans("0158", "olsb")  # what a scanner reads for these letters


@lru_cache(maxsize=65_536)
def soundex(name: str) -> str:
    """Return the Soundex code of a name; "" without a letter.

    >>> soundex("robert"), soundex("ashcraft"), soundex("tymczak"), soundex("pfister")
    ('R163', 'A261', 'T522', 'P236')
    """
    letters = _letters(name)
    if not letters:
        return ""
    code, last = letters[0].upper(), _SOUNDEX_DIGITS.get(letters[0], "")
    for letter in letters[1:]:
        digit = _SOUNDEX_DIGITS.get(letter, "")
        if digit and digit != last:
            code += digit
        if letter not in "hw":  # which do not part two letters of one sound
            last = digit
    return code[:_SOUNDEX_LENGTH].ljust(_SOUNDEX_LENGTH, "0")


@lru_cache(maxsize=65_536)
def nysiis(name: str) -> str:
    """Return the NYSIIS code of a name, of any length; "" without a letter.

    >>> nysiis("knight"), nysiis("mitchell"), nysiis("o'daniel"), nysiis("larson")
    ('NAGT', 'MATCAL', 'ODANAL', 'LARSAN')
    """
    letters = _letters(name)[:_MAX_LETTERS]
    if not letters:
        return ""
    for start, sound in _NYSIIS_STARTS:
        if letters.startswith(start):
            letters = sound + letters[len(start) :]
            break
    letters = _NYSIIS_ENDS.sub(lambda end: "y" if end[1] else "d", letters)
    code = letters[0]
    previous = letters[0]
    position = 1
    while position < len(letters):
        sound, length = _sound_at(letters, position, previous)
        letters = letters[:position] + sound + letters[position + length :]
        for letter in sound:
            if letter != code[-1]:
                code += letter
        previous = letters[position + len(sound) - 1] if sound else previous
        position += max(len(sound), 1)
    return _trim(code).upper()


def _sound_at(letters: str, position: int, previous: str) -> tuple[str, int]:
    """Return what the letters at a place become, and how many of them."""
    here, after = letters[position], letters[position + 1 : position + 2]
    if letters.startswith("ev", position):
        return "af", 2
    if here in "aeiou":
        return "a", 1
    if here in "qzm":
        return {"q": "g", "z": "s", "m": "n"}[here], 1
    for group, sound in (("kn", "n"), ("sch", "sss"), ("ph", "ff")):
        if letters.startswith(group, position):
            return sound, len(group)
    if here == "k":
        return "c", 1
    is_between = previous in "aeiou" and after != "" and after in "aeiou"
    if (here == "h" and not is_between) or (here == "w" and previous in "aeiou"):
        return previous, 1
    return here, 1


def _trim(code: str) -> str:
    if len(code) > 1 and code.endswith("s"):
        code = code[:-1]
    if code.endswith("ay"):
        code = code[:-2] + "y"
    return code[:-1] if len(code) > 1 and code.endswith("a") else code


class SoundRule(NamedTuple):
    """The codes of a group of letters; each may have alternatives, "" is not coded."""

    start: tuple[str, ...]
    before_vowel: tuple[str, ...]
    elsewhere: tuple[str, ...]


@lru_cache(maxsize=65_536)
def daitch_mokotoff(name: str) -> frozenset[str]:
    """Return the codes of a name, the whole of it folded to ASCII letters.

    >>> sorted(daitch_mokotoff("auerbach")), sorted(daitch_mokotoff("moskowitz"))
    (['097400', '097500'], ['645740'])
    """
    letters = _letters(name)
    return _code(letters, sound_rules(), _sound_groups()) if letters else frozenset()


def code_sounds(letters: str, rules: dict[str, SoundRule]) -> frozenset[str]:
    """Return the codes of ASCII letters under these rules."""
    return _code(letters, rules, _groups_of(rules))


def _code(letters: str, rules: dict[str, SoundRule], groups: re.Pattern[str]) -> frozenset[str]:
    branches = {("", "")}  # the code so far, and the code of the last group
    for group in groups.finditer(letters):
        rule = rules[group[0]]
        if group.start() == 0:
            sounds = rule.start
        else:
            sounds = (
                rule.before_vowel
                if letters[group.end() : group.end() + 1] in _VOWELS
                else rule.elsewhere
            )
        branches = {_extend(code, last, sound) for code, last in branches for sound in sounds}
    return frozenset(code[:CODE_LENGTH].ljust(CODE_LENGTH, "0") for code, _ in branches)


def _extend(code: str, last: str, sound: str) -> tuple[str, str]:
    return (code if last.endswith(sound) else (code + sound)[:CODE_LENGTH]), sound


@cache
def sound_rules() -> dict[str, SoundRule]:
    """Return the rules of the table, by their letters."""
    return {
        row["letters"]: SoundRule(
            tuple(row["start"].split("|")),
            tuple(row["before_vowel"].split("|")),
            tuple(row["elsewhere"].split("|")),
        )
        for row in read_table("normalize/names/daitch_mokotoff")
    }


@cache
def _sound_groups() -> re.Pattern[str]:
    return _groups_of(sound_rules())


def _groups_of(rules: dict[str, SoundRule]) -> re.Pattern[str]:
    return re.compile("|".join(sorted(rules, key=len, reverse=True)))


@lru_cache(maxsize=65_536)
def shape_keys(name: str) -> frozenset[str]:
    """Return the shape keys of a normalized name.

    >>> sorted(shape_keys("clark") & shape_keys("dark")), shape_keys("smith") & shape_keys("jones")
    (['Da1h'], frozenset())
    """
    keys = set()
    for fold in ascii_forms(name)[:1]:
        letters = fold.translate(_SCANNED_DIGITS)
        grouped = letters
        for group, single in _LOOK_ALIKE_GROUPS:
            grouped = grouped.replace(group, single)
        keys |= {_shape_key(letters), _shape_key(grouped)}
    return frozenset(keys - {""})


def _shape_key(letters: str) -> str:
    if not letters:
        return ""
    first = _FIRST.get(letters[0], letters[0].upper())
    shapes = [_shape(run) for run in _RUN.findall(letters[1:])]
    return first + "".join(b for a, b in zip(["", *shapes], shapes, strict=False) if a != b)


def _shape(run: str) -> str:
    if run[0] not in _STROKES:
        return _LATER.get(run, run)
    strokes = sum(_STROKES[letter] for letter in run)
    return str((strokes + 1) // 2)


def _letters(name: str) -> str:
    return "".join(letter for form in ascii_forms(name)[:1] for letter in form if letter.isalpha())
